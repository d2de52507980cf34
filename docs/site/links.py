"""Links of the built site: every target inside it exists, down to the anchor, and nothing is fetched from outside.

The pages are read as the browser reads them, after MkDocs; what is wrong is told with the line of the source page."""
import html.parser
import pathlib
import re
import urllib.parse

FETCHED = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("source", "srcset"),
           ("video", "src"), ("audio", "src"), ("object", "data"), ("embed", "src"), ("use", "href")}
NOT_FETCHED = {"canonical", "prev", "next", "alternate", "author", "license"}  # rel of <link>
STYLE_URL = re.compile(r"url\(\s*['\"]?([^'\")]+)['\"]?\s*\)|@import\s+['\"]([^'\"]+)['\"]")
REMOTE = re.compile(r"^(?:https?:)?//", re.I)
CODE_PATH = re.compile(r"`((?:painleve|apps|tests|scripts|examples|scenarios|python|bench|docs|cmake)/[\w./-]*[\w/]"
                       r"|(?:base|contact|mechanism|robot|cone|complementarity|modes|impact|simulation|scene|study|figure|engines"
                       r"|reproduction)/[\w/]+\.(?:hpp|cpp))`")


class Page(html.parser.HTMLParser):
    """What a page links to (tag, attribute, target) and the anchors that it has."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.targets, self.anchors, self.in_style = [], set(), False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.in_style = tag == "style"
        self.anchors.update(value for key, value in attrs if value and (key == "id" or (tag == "a" and key == "name")))
        if values.get("style"):
            self.styles(values["style"])
        for key in ("href", "src", "srcset", "data"):
            if values.get(key) is not None and not (key == "data" and tag != "object"):
                fetched = (tag, key) in FETCHED and not NOT_FETCHED & set((values.get("rel") or "").split())
                self.targets.append((fetched, values[key]))

    def handle_endtag(self, tag):
        self.in_style = False

    def handle_data(self, data):
        if self.in_style:
            self.styles(data)

    def styles(self, text):
        self.targets += [(True, match.group(1) or match.group(2)) for match in STYLE_URL.finditer(text)]


def well_formed(link):
    """Whether an address outside could exist; nobody is asked."""
    try:
        parts = urllib.parse.urlsplit(link)
        parts.port
    except ValueError:
        return False
    if parts.scheme == "mailto":
        return "@" in parts.path
    if parts.scheme not in ("http", "https"):
        return False
    name = parts.hostname or ""
    known = "." in name or name in ("localhost",)
    return known and not re.search(r"\s", link) and re.fullmatch(r"[a-z0-9.-]+", name) is not None


class Site:
    """All pages of a built site, each read once."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.read = {}
        self.checked = 0

    def page(self, path):
        if path not in self.read:
            self.read[path] = Page(path.read_text(encoding="utf-8"))
        return self.read[path]

    def fault(self, path, fetched, link):
        """What is wrong with a link on a page, or None."""
        self.checked += 1
        if link.startswith(("data:", "javascript:")):
            return None
        if REMOTE.match(link) or re.match(r"^[a-z][a-z+.-]*:", link, re.I):
            if fetched:
                return "is fetched from outside"
            return None if well_formed(link) else "is no address"
        parts = urllib.parse.urlsplit(link)
        place = urllib.parse.unquote(parts.path)
        target = (path.parent / place).resolve() if place else path
        if place.startswith("/") or not target.is_relative_to(self.folder):
            return "leaves the site"
        if target.is_dir():
            target = target / "index.html"
        if not target.is_file():
            return "leads nowhere"
        anchor = urllib.parse.unquote(parts.fragment)
        if anchor and target.suffix == ".html" and anchor not in self.page(target).anchors | {"__search"}:
            return "names an anchor that is not there"
        return None

    def faults_of(self, path):
        found = [(link, self.fault(path, fetched, link)) for fetched, link in self.page(path).targets]
        return [(link, fault) for link, fault in found if fault]


def style_faults(site, path):
    """Addresses outside in a style sheet, and files that are not there."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"url\(data:[^)]*\)", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    links = [match.group(1) or match.group(2) for match in STYLE_URL.finditer(text)]
    # KaTeX names each font in three formats; browsers of today take the first, which is the one that is there.
    links = [link for link in links if not ("KaTeX_" in link and link.endswith((".woff", ".ttf")))]
    found = [(link, site.fault(path, True, link)) for link in links]
    return [(link, fault) for link, fault in found if fault]


def source_line(source, link):
    """The line of a page on which a link stands; 1 where it comes from the theme."""
    wanted = [link, link.partition("#")[2], pathlib.PurePosixPath(link.partition("#")[0]).stem]
    lines = source.read_text(encoding="utf-8").splitlines()
    for text in wanted:
        for number, line in enumerate(lines, 1):
            if text and text in line and "](" in line:
                return number
    return 1


def path_faults(root, page):
    """Files of the repository that a page names in code font: (line, name) of those that do not exist."""
    faults, count, fence = [], 0, False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence ^= line.lstrip().startswith("```")
        for name in [] if fence else CODE_PATH.findall(line):
            count += 1
            if not ((root / name).exists() or (root / "painleve" / name).exists()):
                faults.append((number, name))
    return faults, count
