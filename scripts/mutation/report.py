"""Says what came out: the list, the last line, and the tables of docs/trust.md between their markers."""

import json
import pathlib

import campaign
import kernels
from page import replace_between
from points import Fault

EXPLAINED = pathlib.Path(__file__).with_name("equivalent.json")


def status(fault: Fault, kept: campaign.Campaign, sources: dict[str, str]) -> str:
    if not kept.has(fault, sources[fault.path]):
        return "-"
    return "killed" if kept.killed(fault) else "survived"


def print_list(faults: list[Fault], kept: campaign.Campaign, sources: dict[str, str]) -> None:
    for fault in faults:
        print(f"{fault.number:4} {fault.key} {status(fault, kept, sources):8} {fault.describe()}")


def conclude(root: pathlib.Path, work: pathlib.Path, seed: int, possible: int, faults: list[Fault],
             kept: campaign.Campaign, sources: dict[str, str], write: bool) -> int:
    """Prints the score; returns 0 when it reaches the bound of 85 %."""
    judged = [fault for fault in faults if kept.has(fault, sources[fault.path])]
    survivors = [fault for fault in judged if not kept.killed(fault)]
    explained = json.loads(EXPLAINED.read_text()) if EXPLAINED.is_file() else {}
    for fault in survivors:
        note = explained.get(fault.key, {}).get("why", "not explained")
        print(f"survived {fault.number} {fault.key} {fault.describe()}\n         {note}")
    if write:
        _write_tables(root / "docs" / "trust.md", seed, possible, judged, survivors, explained, kept)
    killed = len(judged) - len(survivors)
    equivalent = sum(explained.get(f.key, {}).get("equivalent", False) for f in survivors)
    print(f"{killed} of {len(judged)} faults killed, {_percent(killed, len(judged))}; without the {equivalent} survivors that "
          f"change no answer {_percent(killed, len(judged) - equivalent)}")
    return 0 if killed >= 0.85 * len(judged) else 1


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _write_tables(page: pathlib.Path, seed: int, possible: int, judged: list[Fault], survivors: list[Fault],
                  explained: dict, kept: campaign.Campaign) -> None:
    text = replace_between(page.read_text(), "mutation", _score(seed, possible, judged, survivors, explained, kept))
    page.write_text(replace_between(text, "survivors", _survivors(survivors, explained)))


def _score(seed: int, possible: int, judged: list[Fault], survivors: list[Fault], explained: dict,
           kept: campaign.Campaign) -> str:
    same = {fault.key for fault in survivors if explained.get(fault.key, {}).get("equivalent", False)}
    rows = [f"Seed {seed}; {len(judged)} faults out of {possible} possible ones.", "",
            "| module | faults | killed | score | survivors that change no answer | score without them |",
            "|---|---:|---:|---:|---:|---:|"]
    groups = [(module, [f for f in judged if f.module == module]) for module in kernels.MODULES] + [("all", judged)]
    rows += [_row(name, own, survivors, same) for name, own in groups if own]
    kinds = sorted({fault.kind for fault in judged})
    rows += ["", "| kind of fault | faults | killed | score | survivors that change no answer | score without them |",
             "|---|---:|---:|---:|---:|---:|"]
    rows += [_row(kind, [f for f in judged if f.kind == kind], survivors, same) for kind in kinds]
    rows += ["", _how(judged, kept)]
    return "\n".join(rows)


def _row(name: str, own: list[Fault], survivors: list[Fault], same: set[str]) -> str:
    alive = [fault for fault in own if fault in survivors]
    equivalent = sum(fault.key in same for fault in alive)
    killed = len(own) - len(alive)
    return (f"| {name} | {len(own)} | {killed} | {_percent(killed, len(own))} | {equivalent} "
            f"| {_percent(killed, len(own) - equivalent)} |")


def _how(judged: list[Fault], kept: campaign.Campaign) -> str:
    results = [kept.results[fault.key] for fault in judged]
    ways = {way: sum(result["how"] == way for result in results) for way in ("failed", "crashed", "endless")}
    own = sum(result.get("program") == fault.module for fault, result in zip(judged, results))
    killed = sum(ways.values())
    return (f"Of the {killed} killed, {ways['failed']} by a failed test, {ways['crashed']} by an assertion or a crash, "
            f"{ways['endless']} by a run without end; {own} by the tests of their own module, {killed - own} by tests of modules "
            "that use it.")


def _survivors(survivors: list[Fault], explained: dict) -> str:
    rows = ["| place | expression | fault | why it survives |", "|---|---|---|---|"]
    for fault in survivors:
        note = explained.get(fault.key, {"why": "not explained"})
        kind = " (changes no answer)" if note.get("equivalent") else ""
        place = f"{fault.path.removeprefix('painleve/')}:{fault.line}"
        rows.append(f"| {place} `{fault.function}` | `{_cell(fault.text)}` | {fault.kind}: {_cell(fault.after)} | {note['why']}{kind} |")
    return "\n".join(rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
