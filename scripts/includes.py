"""For each source named on stdin: a line "source TAB file" for itself and for every file of the project that it includes,
directly or not. Read from the text: what `#include "..."` names lies beside the file or under the root of the project."""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


@functools.cache
def included(path):
    names = INCLUDE.findall(path.read_text(encoding="utf-8"))
    places = [place / name for name in names for place in (path.parent, ROOT)]
    return [place.resolve() for place in places if place.is_file()]


def closure(path):
    seen, waiting = {path}, [path]
    while waiting:
        new = [file for file in included(waiting.pop()) if file not in seen]
        seen.update(new)
        waiting.extend(new)
    return seen


for line in sys.stdin:
    source = pathlib.Path(line.strip()).resolve()
    for file in sorted(closure(source)):
        print(f"{source}\t{file}")
