"""Code blocks of the pages: which there are, and whether they still run.

A fenced block is run according to its language:

  console   lines that begin with "$ " are commands for bash; what follows is compared with what they print
  sh        commands for bash that must succeed; what they print does not matter. Of the project's own scripts, which
            build and test for minutes, only the existence is checked
  python    run in order, all blocks of a page in one interpreter
  pycon     an interactive session, compared as doctest does
  cpp, c    a complete program is compiled (its syntax and types; nothing is linked)
  toml      a scenario is analysed by painleve; anything else must be TOML
  json      must be JSON
  text      is no code

In expected output a line "..." stands for any lines and "…" inside a line for any characters: that is where durations,
versions and long parts go. Numbers below 1e-9 are what rounding left: any other such number, or 0, agrees with them. A
block that cannot be run says so in the line before it, with the reason:

  <!-- docs: not run: it serves until Ctrl-C -->

Other remarks: "docs: inside main" wraps statements of C or C++ in a program; "docs: in examples/robots" analyses a
scenario that names files of that folder; "docs: file NAME" writes the block to a file for the commands of the page."""
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile
import tomllib

LANGUAGES = ("console", "sh", "python", "pycon", "cpp", "c", "toml", "json", "text", "cmake")
FENCE = re.compile(r"^(\s*)(```+)\s*(\w*)[^`]*$")
REMARK = re.compile(r"^\s*<!-- docs: (.*) -->\s*$")
TINY = re.compile(r"\s*-?\d(?:\.\d+)?e-(?:1\d|[2-9]\d|\d{3})(?![\d.])")
ANY_TINY = r"\s*(?:-?\d(?:\.\d+)?e-(?:1\d|[2-9]\d|\d{3})|-?0(?:\.0e\+00)?)"
TIME_LIMIT = 120  # s for one command
PYTHON_RUNNER = pathlib.Path(__file__).with_name("run_python.py")


@dataclasses.dataclass
class Block:
    page: pathlib.Path
    line: int  # of the opening fence, from 1
    language: str
    remark: str
    lines: list

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


def blocks_of(page):
    """All fenced blocks of a page."""
    found, current, indent, remark = [], None, 0, ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        mark = FENCE.match(line)
        if current is None and mark:
            current, indent = Block(page, number, mark.group(3), remark, []), len(mark.group(1))
        elif current is not None and line.strip() == "```":
            found.append(current)
            current = None
        elif current is not None:
            current.lines.append(line[indent:])
        note = REMARK.match(line)
        remark = note.group(1) if note else ""
    if current is not None:
        raise ValueError(f"{page}:{current.line}: the block has no end")
    return found


@dataclasses.dataclass
class Exchange:
    """One command and what it is expected to print; first and last: lines of the block, from 0, last excluded."""
    command: str
    expected: list
    first: int
    last: int


def exchanges(block):
    """Commands of a console block; a command goes on in the next line after a backslash, as in the shell."""
    found = []
    at = 0
    while at < len(block.lines):
        if not block.lines[at].startswith("$ "):
            raise ValueError("a console block begins with a command: $ painleve …")
        command = block.lines[at][2:]
        while command.endswith("\\"):
            at += 1
            command = command[:-1] + block.lines[at].lstrip().removeprefix("> ")
        first = at = at + 1
        while at < len(block.lines) and not block.lines[at].startswith("$ "):
            at += 1
        found.append(Exchange(command, block.lines[first:at], first, at))
    return found


def stripped(lines):
    """Without blanks at the ends of lines and empty lines at both ends."""
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def escaped(text):
    """The text as a pattern in which rounding may differ."""
    return ANY_TINY.join(re.escape(part) for part in TINY.split(text))


def pattern_of(expected):
    parts = []
    for line in expected:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*".join(escaped(part) for part in line.split("…")) + r"\n")
    return re.compile("".join(parts))


def agrees(expected, printed):
    return pattern_of(stripped(expected)).fullmatch("".join(line + "\n" for line in stripped(printed))) is not None


def disagreement(expected, printed):
    """The first expected line at which no printed text fits any more."""
    expected, printed = stripped(expected), stripped(printed)
    text = "".join(line + "\n" for line in printed)
    for count in range(1, len(expected) + 1):
        found = pattern_of(expected[:count]).match(text)
        if not found:
            fits = pattern_of(expected[:count - 1]).match(text)
            rest = text[fits.end():].splitlines() if fits else printed
            return f"expected: {expected[count - 1]}\n     printed: {rest[0] if rest else '(nothing more)'}"
    return "more is printed than the page shows"


class Runner:
    """Runs blocks in folders of their own, one per page, in which examples/ and scenarios/ are at hand."""

    def __init__(self, root, programs, python):
        self.root, self.programs, self.python = root, programs, python
        self.home = tempfile.TemporaryDirectory(prefix="painleve-docs-")
        self.environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", LANG="C.UTF-8", LC_ALL="C.UTF-8",
                                TERM="dumb", COLUMNS="160", MPLBACKEND="agg", PAINLEVE_PROGRAM=f"{programs}/painleve")

    def folder(self, page):
        folder = pathlib.Path(self.home.name) / str(page.relative_to(self.root)).replace("/", "-")
        if not folder.exists():
            folder.mkdir()
            for name in ("docs", "examples", "scenarios"):
                (folder / name).symlink_to(self.root / name)
        return folder

    def call(self, command, page, **options):
        """(status, lines printed); a command that takes too long has status 124."""
        try:
            done = subprocess.run(command, cwd=self.folder(page), env=self.environment, text=True, timeout=TIME_LIMIT,
                                  stdin=options.pop("stdin", subprocess.DEVNULL), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, **options)
        except subprocess.TimeoutExpired:
            return 124, [f"it takes longer than {TIME_LIMIT} s"]
        text = done.stdout.replace(self.home.name + "/" + self.folder(page).name + "/", "")
        return done.returncode, text.splitlines()

    def bash(self, command, page):
        return self.call(["bash", "-c", command], page)

    def temporary(self, page, name, text):
        path = self.folder(page) / name
        path.write_text(text, encoding="utf-8")
        return path


def keep_files(found, runner):
    """Writes the blocks with the remark "file NAME", for the commands of the page."""
    for block in found:
        if block.remark.startswith("file "):
            path = runner.temporary(block.page, block.remark.removeprefix("file ").strip(), block.text)
            if block.text.startswith("#!"):
                path.chmod(0o755)


def failure(status, printed):
    return "\n     ".join([f"it ends with {status}:"] + printed[-12:])


def run_console(block, runner):
    faults = []
    for exchange in exchanges(block):
        status, printed = runner.bash(exchange.command, block.page)
        if status != 0:
            faults.append((exchange.first, f"$ {exchange.command}\n     {failure(status, printed)}"))
        elif not agrees(exchange.expected, printed):
            faults.append((exchange.first, f"$ {exchange.command}\n     {disagreement(exchange.expected, printed)}"))
    return faults


def run_shell(block, runner):
    faults, commands = [], ["set -e"]
    for number, line in enumerate(block.lines, 1):
        script = re.match(r"(scripts/[\w-]+)\b", line)
        if not script:
            commands.append(line)
        elif not os.access(runner.root / script.group(1), os.X_OK):
            faults.append((number, f"{script.group(1)} is no program"))
    status, printed = runner.bash("\n".join(commands), block.page)
    return faults + ([(0, failure(status, printed))] if status else [])


def run_program(block, runner):
    text, language = block.text, "c++" if block.language == "cpp" else "c"
    if block.remark == "inside main":
        included = [line for line in block.lines if line.startswith("#include")]
        body = [line for line in block.lines if not line.startswith("#include")]
        text = "\n".join(included + (["#include <stdio.h>"] if language == "c" else []) + ["int main(void) {"] + body + ["return 0; }\n"])
    elif "int main(" not in text:
        return [(0, "this is no complete program: mark it '<!-- docs: inside main -->' or '<!-- docs: not run: REASON -->'")]
    source = runner.temporary(block.page, f"block-{block.line}.{block.language}", text)
    compiler = ["g++", "-std=c++20"] if language == "c++" else ["gcc", "-std=c99"]
    status, printed = runner.call(compiler + ["-fsyntax-only", f"-I{runner.root}", f"-I{runner.root}/painleve/c", "-isystem",
                                              "/usr/include/eigen3", str(source)], block.page)
    return [(0, failure(status, printed))] if status else []


def run_toml(block, runner):
    try:
        document = tomllib.loads(block.text)
    except tomllib.TOMLDecodeError as error:
        return [(0, str(error))]
    if not {"mechanism", "file"} & document.keys():
        return []
    name = f"block-{block.line}.toml"
    if block.remark.startswith("in "):
        around = runner.root / block.remark[3:].strip()
        for each in around.iterdir():
            link = runner.folder(block.page) / each.name
            if each.is_file() and not link.exists():
                link.symlink_to(each)
    runner.temporary(block.page, name, block.text)
    status, printed = runner.call(["painleve", "analyze", name], block.page)
    return [(0, failure(status, printed))] if status else []


def run_json(block, _runner):
    try:
        json.loads(block.text)
    except json.JSONDecodeError as error:
        return [(0, str(error))]
    return []


def run_python(blocks, runner):
    """All Python blocks of one page in one interpreter; faults as (block, line, sentence)."""
    if not blocks:
        return []
    work = json.dumps([{"line": block.line, "kind": block.language, "text": block.text} for block in blocks])
    given = runner.temporary(blocks[0].page, "python-blocks.json", work)
    with given.open() as stdin:
        status, printed = runner.call([str(runner.python), "-P", str(PYTHON_RUNNER)], blocks[0].page, stdin=stdin)
    faults = [line.split("\t", 2)[1:] for line in printed if line.startswith("FAULT\t")]
    if status != 0 and not faults:
        faults = [[str(blocks[0].line), failure(status, printed)]]
    return [(blocks[0], int(line) - blocks[0].line - 1, json.loads(text) if text.startswith('"') else text) for line, text in faults]


RUN = {"console": run_console, "sh": run_shell, "cpp": run_program, "c": run_program, "toml": run_toml, "json": run_json}


def updated(block, runner):
    """The lines of a console block with what its commands print now; parts with wildcards that still fit are kept."""
    lines, done = [], 0
    for exchange in exchanges(block):
        lines += block.lines[done:exchange.first]
        status, printed = runner.bash(exchange.command, block.page)
        keep = status == 0 and agrees(exchange.expected, printed)
        lines += exchange.expected if keep else stripped(printed)
        done = exchange.last
    return lines
