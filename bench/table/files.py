"""Writes the table as CSV, JSON and Markdown, and into the pages that show it."""
import csv
import io
import json
import os
from pathlib import Path

from . import markdown

COLUMNS = ("group", "title", "ours", "ours_ns", "ours_q1", "ours_q3", "peer", "theirs", "theirs_ns", "theirs_q1", "theirs_q3",
           "ratio", "ratio_q1", "ratio_q3", "ratio_per_solved", "verdict", "ours_work", "theirs_work", "ours_error", "theirs_error", "ours_solved",
           "theirs_solved", "hash", "unmet", "change", "missing")


def csv_cells(row):
    flat = {"group": row["group"], "title": row["title"], "peer": row["peer"], "missing": row.get("missing", "")}
    if "missing" in row:
        return flat
    flat.update({key: row[key] for key in ("ratio", "ratio_q1", "ratio_q3", "ratio_per_solved", "verdict", "hash")})
    flat["unmet"] = "; ".join(row["unmet"])
    flat["change"] = row.get("change", "")
    for who in ("ours", "theirs"):
        half = row[who]
        flat[who] = half["name"]
        flat[f"{who}_ns"], flat[f"{who}_q1"], flat[f"{who}_q3"] = half["ns"], half["ns_q1"], half["ns_q3"]
        flat[f"{who}_work"] = " ".join(f"{unit}={amount:.6g}" for unit, amount in half["work"].items())
        flat[f"{who}_error"], flat[f"{who}_solved"] = half["error"], half["solved"]
    return flat


def csv_text(data):
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(csv_cells(row) for row in data["rows"])
    return out.getvalue()


def replace(path, text):
    """All of it or nothing, whenever the process ends."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    os.replace(part, path)


def json_text(data):
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def write(data, folder):
    """table.csv, table.json, table.md and short.md."""
    for name, text in (("table.csv", csv_text(data)), ("table.json", json_text(data)), ("table.md", markdown.full_table(data)),
                       ("short.md", markdown.short_table(data))):
        replace(Path(folder) / name, text)


def fill(path, marker, text):
    """Puts `text` between the markers of a page."""
    try:
        replace(path, markdown.between(Path(path).read_text(), marker, text))
    except (OSError, ValueError) as error:
        raise SystemExit(f"bench: {path} was left as it is: {error}") from error


def publish(data, root):
    """The pages and the run that later ones are compared with."""
    if not data["complete"]:
        raise SystemExit("bench: a run that is not complete (--quick, --only or interrupted) is not published")
    fill(root / "README.md", "bench", markdown.short_table(data))
    fill(root / "docs/speed.md", "bench", markdown.full_table(data))
    replace(root / "bench/last_run.json", json_text(data))
