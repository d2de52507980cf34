"""Checks the documentation: /usr/bin/python3 docs/site/check.py SITE --source STAGED [--programs DIR] [--python PROGRAM]

Every link of the built site leads somewhere and nothing is fetched from outside; every file that a page names exists;
every code block still runs and prints what the page says. One line per fault, with file and line; exit code 1 if any.
--update writes what commands print now into the pages (look at the difference before you keep it)."""
import argparse
import pathlib
import sys
import time

import blocks
import links
import stage

ROOT = stage.ROOT


class Findings:
    def __init__(self):
        self.faults = 0

    def add(self, page, line, sentence):
        self.faults += 1
        print(f"{page.relative_to(ROOT)}:{line}: {sentence}")


def origin(site, staged, path):
    """The page of docs/ that a built page comes from, or None for pages of files."""
    inside = path.relative_to(site).with_suffix(".md")
    for name in (inside, inside.with_name("README.md")):
        if (ROOT / "docs" / name).is_file():
            return ROOT / "docs" / name
    return None


def check_links(folder, staged, findings):
    site = links.Site(folder)
    for path in sorted(site.folder.rglob("*.html")):
        if path.name == "404.html" or path.name == "reproduction.html":
            continue  # the first is for servers; the second is generated, and tested where it is made
        source = origin(site.folder, staged, path) or ROOT / "mkdocs.yml"
        for link, fault in site.faults_of(path):
            where = f" (on {path.relative_to(site.folder)})" if source.suffix == ".yml" else ""
            findings.add(source, links.source_line(source, link), f"{link} {fault}{where}")
    for path in sorted(site.folder.rglob("*.css")):
        for link, fault in links.style_faults(site, path):
            findings.add(ROOT / "mkdocs.yml", 1, f"{link} {fault} (in {path.relative_to(site.folder)})")
    return site.checked


def check_paths(findings):
    total = 0
    for page in stage.pages():
        faults, count = links.path_faults(ROOT, page)
        total += count
        for line, name in faults:
            findings.add(page, line, f"{name} does not exist")
    return total


def refused(block):
    """Why a block is not run, or None; raises where it does not say why."""
    if block.language not in blocks.LANGUAGES:
        raise ValueError(f"a block needs a language: {', '.join(blocks.LANGUAGES)}")
    if block.language == "text":
        return "text"
    if block.remark.startswith("not run"):
        reason = block.remark.removeprefix("not run").lstrip(": ")
        if not reason:
            raise ValueError("a block that is not run says why: <!-- docs: not run: REASON -->")
        return reason
    if block.language == "cmake":
        raise ValueError("a block of CMake cannot be run here: <!-- docs: not run: REASON -->")
    return None


def check_page(page, runner, findings):
    """(blocks run, blocks not run) of one page."""
    run, left, session = 0, 0, []
    found = blocks.blocks_of(page)
    blocks.keep_files(found, runner)
    for block in found:
        try:
            if refused(block):
                left += block.language != "text"
                continue
            run += 1
            if block.language in ("python", "pycon"):
                session += [] if block.remark.startswith("file ") else [block]
                continue
            faults = blocks.RUN[block.language](block, runner)
        except ValueError as error:
            faults = [(0, str(error))]
        for offset, sentence in faults:
            findings.add(page, block.line + offset, sentence)
    for block, offset, sentence in blocks.run_python(session, runner):
        findings.add(page, block.line + offset + 1, sentence)
    return run, left


def update(page, runner):
    """Writes what the console blocks of a page print now."""
    lines, found = page.read_text(encoding="utf-8").splitlines(), blocks.blocks_of(page)
    blocks.keep_files(found, runner)
    console = [each for each in found if each.language == "console" and not each.remark.startswith("not run")]
    printed = [blocks.updated(block, runner) for block in console]  # in order: a command may need an earlier one's file
    for block, new in zip(reversed(console), reversed(printed)):
        lines[block.line:block.line + len(block.lines)] = new
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--source", type=pathlib.Path, default=ROOT / "build/docs-source")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--python", type=pathlib.Path, default=ROOT / "build/python/venv/bin/python")
    parser.add_argument("--page", action="append", help="only the blocks of this page (docs/first-hour.md)")
    parser.add_argument("--update", action="store_true")
    return parser.parse_args()


def main():
    asked = arguments()
    for program in (asked.programs / "painleve", asked.python):
        if not program.exists():
            sys.exit(f"docs: {program} is not there; scripts/build and scripts/python install make it")
    start, findings = time.monotonic(), Findings()
    runner = blocks.Runner(ROOT, asked.programs.resolve(), asked.python.absolute())
    pages = [ROOT / name for name in asked.page] if asked.page else stage.pages()
    if asked.update:
        for page in pages:
            update(page, runner)
    counts = [check_page(page, runner, findings) for page in pages]
    checked = (0, 0) if asked.page else (check_links(asked.site, asked.source, findings), check_paths(findings))
    run, left = sum(each[0] for each in counts), sum(each[1] for each in counts)
    print(f"{run} blocks run, {left} marked as not run, {checked[0]} links and {checked[1]} names of files checked on "
          f"{len(pages)} pages in {time.monotonic() - start:.0f} s; {findings.faults} faults")
    return 1 if findings.faults else 0


if __name__ == "__main__":
    sys.exit(main())
