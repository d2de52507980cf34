"""Prepares the pages for MkDocs: docs/ is copied to a folder of its own, links to files of the repository become links to
pages that show these files, and KaTeX is put beside the pages, so that the site needs nothing from outside.

In docs/ a link such as [example](../examples/engine_loop.c) works for readers of the repository. The site holds no
repository, hence the pages under source/: one per file that is linked, with its lines numbered."""
import html
import os
import pathlib
import re
import shutil

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

ROOT = pathlib.Path(__file__).resolve().parents[2]
KATEX = (pathlib.Path("/usr/share/javascript/katex"), ROOT / "apps/studio/web/node_modules/katex/dist")
KATEX_FILES = ("katex.min.css", "katex.min.js")
REPOSITORY_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "apps/studio/README.md", "bench/README.md", "python/README.md")
NOT_STAGED = {".py", ".pyc"}
LINK = re.compile(r"(!?\[[^\]\[]*(?:\[[^\]]*\][^\]\[]*)*\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^\s*(```+|~~~+)")
OUTSIDE = re.compile(r"^(?:[a-z][a-z+.-]*:|//)", re.I)
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="icon" href="data:,"><style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 70rem; padding: 0 1rem; }}
pre, code, li {{ font-family: "DejaVu Sans Mono", monospace; font-size: 13px; }}
pre {{ overflow-x: auto; }} td.linenos {{ opacity: .5; padding-right: 1em; user-select: none; }}
{style}
@media (prefers-color-scheme: dark) {{ body {{ background: #1e2129; color: #e2e4e9; }} a {{ color: #8ab4f8; }}
{dark}
.highlight .c, .highlight .c1, .highlight .cm {{ color: #b9b48f; }} }}
</style></head><body><p><a href="{home}">Painlevé</a> / <code>{title}</code></p>
{body}
</body></html>
"""


class StageError(Exception):
    """A sentence for whoever builds the site."""


def rewritten(text, new_target):
    """The text with new_target(line number, target) in the place of every target of a link outside of code blocks."""
    fence, lines = None, []
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if mark:
            fence = None if fence and mark.group(1).startswith(fence) else fence or mark.group(1)
        elif fence is None:
            line = LINK.sub(lambda m: m.group(1) + new_target(number, m.group(2)) + m.group(3), line)
        lines.append(line)
    return "\n".join(lines) + "\n"


class Stage:
    """What is staged where: pages keep their place in docs/, everything else of the repository goes under source/."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.faults = []
        self.waiting = []
        self.known = set()

    def place(self, path):
        """Where a file of the repository lies in the staged folder."""
        inside = path.relative_to(ROOT)
        if inside.parts[0] == "docs":
            return inside.relative_to("docs")
        inside = pathlib.Path("source") / inside
        return inside if path.suffix == ".md" else inside.with_name(inside.name + ".html")

    def target_of(self, page, number, link):
        """The new target of a link on a page; files of the repository that it names are staged, too."""
        if OUTSIDE.match(link) or link.startswith("#"):
            return link
        name, mark, anchor = link.partition("#")
        path = pathlib.Path(os.path.normpath(page.parent / name))
        if path.is_dir() and (path / "README.md").exists():
            path = path / "README.md"
        if not path.is_relative_to(ROOT) or not path.exists():
            self.faults.append(f"{page.relative_to(ROOT)}:{number}: no such file: {link}")
            return link
        self.want(path)
        return os.path.relpath(self.place(path), self.place(page).parent) + mark + anchor

    def want(self, path):
        if path not in self.known:
            self.known.add(path)
            self.waiting.append(path)

    def write(self, path, content):
        target = self.folder / self.place(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")

    def put(self, path):
        if path.suffix == ".md":
            text = path.read_text(encoding="utf-8")
            self.write(path, rewritten(text, lambda number, link: self.target_of(path, number, link)))
        elif path.is_relative_to(ROOT / "docs"):
            target = self.folder / self.place(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        else:
            self.write(path, self.shown(path))

    def shown(self, path):
        """The page that shows a file, or lists a folder."""
        title = str(path.relative_to(ROOT))
        home = os.path.relpath("index.html", self.place(path).parent)
        light, dark = HtmlFormatter(linenos="table", lineanchors="L"), HtmlFormatter(style="monokai")
        if path.is_dir():
            names = sorted(each for each in path.iterdir() if not each.name.startswith((".", "__pycache__")))
            for each in names:
                if each.is_file():
                    self.want(each)
            body = "<ul>" + "".join(f"<li>{self.listed(path, each)}</li>" for each in names) + "</ul>"
        else:
            body = highlight(path.read_text(encoding="utf-8", errors="replace"), lexer_of(path), light)
        return PAGE.format(title=html.escape(title), home=home, body=body, style=light.get_style_defs(".highlight"),
                           dark=dark.get_style_defs(".highlight"))

    def listed(self, folder, each):
        if not each.is_file():
            return html.escape(each.name + "/")
        place = os.path.relpath(self.place(each), self.place(folder).parent)
        return f'<a href="{place.removesuffix(".md") + ".html" if each.suffix == ".md" else place}">{html.escape(each.name)}</a>'


def lexer_of(path):
    try:
        return get_lexer_for_filename(path.name)
    except ClassNotFound:
        return TextLexer()


def katex_folder():
    for folder in KATEX:
        if (folder / "katex.min.js").exists():
            return folder
    raise StageError("KaTeX is not there; on Debian: apt install libjs-katex")


def stage_katex(folder):
    source, target = katex_folder(), folder / "assets/katex"
    for name in KATEX_FILES:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)
    (target / "fonts").mkdir()
    for font in sorted((source / "fonts").glob("*.woff2")):
        shutil.copyfile(font, target / "fonts" / font.name)


def pages():
    """All pages of docs/."""
    return sorted(path for path in (ROOT / "docs").rglob("*.md") if "site" not in path.relative_to(ROOT / "docs").parts)


def repository_faults():
    """Links to files that do not exist, on pages of the repository that the site does not hold."""
    faults = []

    def seen(page, number, link):
        name = link.partition("#")[0]
        if name and not OUTSIDE.match(link) and not (page.parent / name).exists():
            faults.append(f"{page.relative_to(ROOT)}:{number}: no such file: {link}")
        return link

    for name in REPOSITORY_PAGES:
        page = ROOT / name
        if page.is_file():
            rewritten(page.read_text(encoding="utf-8"), lambda number, link, page=page: seen(page, number, link))
    return faults


def stage(folder):
    """Fills the folder anew; returns the faults found, each with file and line."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    work = Stage(folder)
    for path in sorted((ROOT / "docs").rglob("*")):
        own = path.relative_to(ROOT / "docs").parts[0] == "site"
        if path.is_file() and not own and path.suffix not in NOT_STAGED:
            work.want(path)
    while work.waiting:
        work.put(work.waiting.pop())
    stage_katex(folder)
    for name in ("site.css", "math.js"):
        shutil.copyfile(ROOT / "docs/site" / name, folder / "assets" / name)
    return work.faults + repository_faults()
