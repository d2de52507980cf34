"""Beside the committed last run: ratios that changed by more than noise, answers that changed in any digit, rows that came or
went."""
from .spread import changed


def compare(now, before):
    """Adds `change` and `answers_changed` to the rows of `now` and returns what is to be said, as sentences."""
    old = {row["id"]: row for row in before["rows"]}
    said = []
    if now["machine"]["processor"] != before["machine"]["processor"]:
        said.append(f"the last run was on another machine ({before['machine']['processor']}): ratios may differ for that")
    hashes = set()
    for row in now["rows"]:
        last = old.pop(row["id"], None)
        if last is None or "missing" in row or "missing" in last:
            continue
        beyond, change = changed(row["ratio"], last["ratio"], row["noise"], last["noise"])
        row["change"] = change
        row["change_beyond_noise"] = beyond
        if beyond:
            word = "better" if change > 0 else "WORSE"
            said.append(f"{word}: {row['title']} beside {row['peer']}: ratio {last['ratio']:.3g} -> {row['ratio']:.3g} "
                        f"({100 * change:+.0f} %)")
        row["answers_changed"] = bool(row["hash"] and last["hash"] and row["hash"] != last["hash"])
        if row["answers_changed"]:
            hashes.add((row["title"], last["hash"], row["hash"]))
    said += [f"ANSWERS CHANGED: {title}: hash {a} -> {b}" for title, a, b in sorted(hashes)]
    if now.get("complete"):
        said += [f"no longer measured: {row['title']} beside {row['peer']}" for row in old.values() if "missing" not in row]
    return said
