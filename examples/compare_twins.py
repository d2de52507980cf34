"""Question: do the C++ and the Python twin of every example print the same?
Run:      python3 examples/compare_twins.py BIN [PYTHONPATH]   BIN: the folder with the built examples
Answer:   one line per pair; exit code 1 when two differ, or when there is no pair at all.
"""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def printed(command, environment):
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed: {done.stderr.strip()}")
    return done.stdout


def main(folder, python_path=None):
    environment = dict(os.environ)
    if python_path:
        environment["PYTHONPATH"] = python_path
    twins = [p for p in sorted(HERE.glob("*.py")) if p.with_suffix(".cpp").exists()]
    differ = 0
    for twin in twins:
        cpp = printed([pathlib.Path(folder) / twin.stem], environment)
        python = printed([sys.executable, twin], environment)
        same = cpp == python and cpp != ""
        differ += not same
        print(f"{twin.stem}: {'the same' if same else 'they differ'}, {len(cpp.splitlines())} lines")
        if not same:
            print(f"--- C++\n{cpp}--- Python\n{python}")
    return 1 if differ or not twins else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
