"""Tables of docs/trust.md: each lies between two markers and is written by the script that measured it."""

import re


def replace_between(text: str, name: str, table: str) -> str:
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if pattern.search(text) is None:
        raise RuntimeError(f"docs/trust.md has no markers '{begin}' and '{end}'")
    return pattern.sub(lambda _: f"{begin}\n{table}\n{end}", text)
