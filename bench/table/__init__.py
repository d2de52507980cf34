"""The table of measurements: what is measured beside what, in rounds, with spread, work, errors and hashes.

scripts/bench runs it as `python3 -m table` with bench/ on the path. Reading order: rows (what stands beside what), measure
(rounds), spread (statistics), report (the table as data), compare (with the last run), markdown and files (as text),
instructions and least_work (counts of the kernels).
"""
