#!/usr/bin/env python3
"""Writes docs/api.md from the public headers: python3 docs/api.py. A test of the project compares page and headers."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULES = ["base", "contact", "mechanism", "robot", "cone", "complementarity", "modes", "impact", "simulation", "scene",
           "study", "figure", "engines", "reproduction", "c"]
TYPE = re.compile(r"^(?:template <[^>]*>\s*)?(?:struct|class|enum class|enum)\s+(?:\[\[\w+\]\]\s*)?(\w+)\s*(?:final\s*)?[:{]",
                  re.M)
FUNCTION = re.compile(r"^(?!(?:using|return|namespace|else|static_assert)\b)(?:template <[^\n]*>\n)?"
                      r"[A-Za-z][\w:<>,&* ]*[\w>&*] [&*]?(\w+)\(", re.M)
C_FUNCTION = re.compile(r"^[\w\s*]+?[\s*](painleve_\w+)\(", re.M)
HEAD = """# API reference

Every public header, by module in the order of dependence, with what it is for and its main types and functions. The
comments in the headers are the reference proper: units, ranges, sources. `find_package(painleve)` gives one target per
module (`painleve::cone`) and `painleve::painleve` for all; everything is in the namespace `painleve`. C: [c.md](c.md).
A mechanism of your own: [tutorial-add-your-own.md](tutorial-add-your-own.md). This page is written by `docs/api.py`.
"""


def purpose(text):
    """The first sentence of the head comment, or else of the first comment."""
    lines = []
    for line in text.splitlines():
        mark = re.match(r"^(?:///|//|/\*|\*| \*)\s?(.*)$", line)
        if mark and mark.group(1).strip():
            lines.append(mark.group(1).strip())
        elif lines:
            break
    sentence = re.match(r"(.*?[.:])(?:\s(?!\d)|$)", " ".join(lines) + " ")
    return (sentence.group(1) if sentence else " ".join(lines)).rstrip(".:")


def symbols(path, text):
    if path.suffix == ".h":
        return list(dict.fromkeys(C_FUNCTION.findall(text)))
    code = re.sub(r"//[^\n]*", "", text)
    found = [(m.start(), m.group(1)) for m in TYPE.finditer(code)]
    found += [(m.start(), m.group(1)) for m in FUNCTION.finditer(code)]
    return list(dict.fromkeys(name for _, name in sorted(found)))


def headers(module):
    files = [*(ROOT / "painleve" / module).rglob("*.hpp"), *(ROOT / "painleve" / module).glob("*.h")]
    return sorted(f for f in files if "detail" not in f.parts and not f.stem.endswith("_for_tests"))


def page():
    text = HEAD
    for module in MODULES:
        rows = [(f, f.read_text(encoding="utf-8")) for f in headers(module)]
        if rows:
            text += f"\n## {module}\n"
        for path, source in rows:
            names = ", ".join(f"`{s}`" for s in symbols(path, source))
            what = purpose(source)
            text += f"- **`{path.relative_to(ROOT)}`**{': ' + what if what else ''}{'. ' + names if names else ''}\n"
    return text


if __name__ == "__main__":
    (ROOT / "docs" / "api.md").write_text(page(), encoding="utf-8")
