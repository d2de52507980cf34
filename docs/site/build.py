"""Builds the documentation: /usr/bin/python3 docs/site/build.py STAGED SITE

Stages the pages, has MkDocs make the site, and writes what the search needs where pages are read from a folder."""
import json
import pathlib
import subprocess
import sys

import stage

OFFLINE = """// For pages read from a folder (file://): the index and the worker of the search, which a browser would not fetch there.
var __search = {{
  index: Promise.resolve({index}),
  worker: URL.createObjectURL(new Blob([{worker}], {{type: "text/javascript"}}))
}};
"""


def write_offline_search(site):
    worker = next((site / "assets/javascripts/workers").glob("search.*.min.js")).read_text(encoding="utf-8")
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    text = OFFLINE.format(index=json.dumps(index), worker=json.dumps(worker.split("//# sourceMappingURL")[0]))
    (site / "search/offline.js").write_text(text, encoding="utf-8")


def drop_maps(site):
    """Source maps are for the authors of the theme; readers do not need them."""
    for path in site.rglob("*.map"):
        path.unlink()


def main(staged, site):
    try:
        faults = stage.stage(staged)
    except stage.StageError as error:
        sys.exit(f"docs: {error}")
    for fault in faults:
        print(fault)
    command = ["/usr/bin/mkdocs", "build", "--quiet", "--clean", "--strict", "--config-file", str(stage.ROOT / "mkdocs.yml"),
               "--site-dir", str(site)]
    if subprocess.run(command, check=False).returncode != 0:
        return 1
    drop_maps(site)
    write_offline_search(site)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
