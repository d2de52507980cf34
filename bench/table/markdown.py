"""The table as Markdown: whole, and the short one of the README."""
import math


def time_text(ns):
    for limit, unit, size in ((1e3, "ns", 1), (1e6, "µs", 1e3), (1e9, "ms", 1e6), (math.inf, "s", 1e9)):
        if ns < limit:
            return f"{ns / size:.3g} {unit}"
    raise ValueError(f"{ns} is no time")


def ratio_text(ratio):
    return f"{ratio:.0f}x" if ratio >= 100 else f"{ratio:.3g}x"


def work_text(work):
    return ", ".join(f"{amount:.4g} {unit}" for unit, amount in work.items()) or "–"


def pair(ours, theirs, text):
    """Ours / the peer's, with a dash for what is not known."""
    if ours is None and theirs is None:
        return "–"
    return " / ".join("–" if value is None else text(value) for value in (ours, theirs))


def error_text(value):
    return f"{value:.0e}"


def share_text(value):
    return f"{100 * value:.4g} %"


def cells(*texts):
    return "| " + " | ".join(str(text).replace("|", "\\|") for text in texts) + " |"


def per_solved_text(row):
    """What the ratio becomes where shares differ, each time taken per problem that is solved."""
    ours, theirs = row["ours"]["solved"], row["theirs"]["solved"]
    if None in (ours, theirs) or ours == theirs:
        return ""
    ratio = row["ratio_per_solved"]
    return f"{ratio_text(ratio)} per problem solved" if ratio is not None else "the peer solves none"


def notes(row):
    found = [row["verdict"]] if row["ratio_q1"] <= 1 else []
    found += [text for text in [per_solved_text(row)] if text]
    found += row["unmet"] + row["remarks"]
    if row.get("change_beyond_noise"):
        found.append(f"{100 * row['change']:+.0f} % since the last run")
    if row.get("answers_changed"):
        found.append("ANSWERS CHANGED since the last run")
    return "; ".join(found)


def full_row(row):
    if "missing" in row:
        return cells(row["title"], "–", row["peer"], "–", "–", "–", "–", "–", "–", "–", row["missing"])
    ours, theirs = row["ours"], row["theirs"]
    return cells(row["title"], time_text(ours["ns"]), row["peer"], time_text(theirs["ns"]),
                 f"**{ratio_text(row['ratio'])}**", f"{row['ratio_q1']:.3g}–{row['ratio_q3']:.3g}",
                 pair(work_text(ours["work"]), work_text(theirs["work"]), str),
                 pair(ours["error"], theirs["error"], error_text), pair(ours["solved"], theirs["solved"], share_text),
                 f"`{row['hash'][:8]}`" if row["hash"] else "–", notes(row))


def full_table(data):
    """Per group a table."""
    lines = [about(data), ""]
    for group in dict.fromkeys(row["group"] for row in data["rows"]):
        lines += [f"### {group[0].upper()}{group[1:]}", "",
                  cells("what", "ours", "peer", "its time", "ratio", "quartiles", "work, ours / peer", "error, ours / peer",
                        "solved, ours / peer", "answers", "notes"),
                  cells("---", "---:", "---", "---:", "---:", "---:", "---", "---", "---", "---", "---")]
        lines += [full_row(row) for row in data["rows"] if row["group"] == group] + [""]
    return "\n".join(lines + growth_table(data) + checks_text(data) + missing_text(data)) + "\n"


def about(data):
    machine, build = data["machine"], data["build"]
    return (f"Measured {data['date']} in {data['rounds']} rounds on {machine['processor']}, {machine['cores']} cores, "
            f"{machine['memory_gib']} GiB, governor {machine['governor']}, load {machine['load_start']} at the start and "
            f"{machine['load_end']} at the end; {machine['system']}. Painlevé {build['version']} at commit {build['commit']}, "
            f"{build['compiler']}, `{build['flags']}`." + ("" if data["complete"] else " **The run is not complete.**"))


def growth_table(data):
    if not data["growth"]:
        return []
    lines = ["### Growth", "", "Time of the larger in that of the smaller; with threads, the other way round.", "",
             cells("from, to", "ours", "quartiles", "peer", "its growth"), cells("---", "---:", "---:", "---", "---:")]
    for row in data["growth"]:
        ours, theirs = row["ours"], row["theirs"]
        turned = row["speedup"]
        factor, ends = (1 / ours["factor"], (1 / ours["q3"], 1 / ours["q1"])) if turned else (ours["factor"], (ours["q1"], ours["q3"]))
        lines.append(cells(row["title"], f"**{ratio_text(factor)}**", f"{ends[0]:.3g}–{ends[1]:.3g}", row["peer"] or "–",
                           ratio_text(theirs["factor"]) if theirs else "–"))
    return lines + [""]


def checks_text(data):
    return ["### Checks", ""] + [f"* {'holds' if holds else '**DOES NOT HOLD**'}: {sentence}"
                                 for sentence, holds in data["checks"].items()] + [""]


def missing_text(data):
    return [f"* {line}" for line in data["missing"]] + ([""] if data["missing"] else [])


def short_table(data):
    """What the README shows: a ratio per row, and nothing that needs an explanation."""
    lines = [cells("what", "ours", "peer", "ratio", "quartiles"), cells("---", "---:", "---", "---:", "---:")]
    for row in data["rows"]:
        if "missing" in row or not row["short"]:
            continue
        ratio = ratio_text(row["ratio"])
        solved = row["ours"]["solved"], row["theirs"]["solved"]
        peer = row["peer"]
        if None not in solved and solved[0] != solved[1]:
            peer += f", solves {share_text(solved[1])} (ours {share_text(solved[0])})"
        lost = " slower than peer" if row["ratio_q3"] < 1 else ""
        lost += f", {per_solved_text(row)}" if lost and per_solved_text(row) else ""
        lines.append(cells(f"{row['group']}: {row['title']}", time_text(row["ours"]["ns"]), peer, f"**{ratio}**{lost}",
                           f"{row['ratio_q1']:.3g}–{row['ratio_q3']:.3g}"))
    return "\n".join(lines) + "\n\n" + about(data) + "\n"


def between(text, name, inner):
    """`text` with `inner` between the markers <!-- name:begin --> and <!-- name:end -->."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"one line {begin} and after it one line {end} are needed")
    head, rest = text.split(begin)
    _, tail = rest.split(end)
    return f"{head}{begin}\n{inner}{end}{tail}"
