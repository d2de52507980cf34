"""Writes a kernel with all its chosen faults compiled in, each behind mutant::on(number).

Faults of three forms: `wrap` puts a call around an operand, `choice` writes an expression twice with two operators,
`other` writes a part of the expression in place of the whole. Lines stay where they are, so that a message of the
compiler leads to the faults that cause it.
"""

from points import Fault

FIRST_LINE = b'#include "scripts/mutation/mutant.hpp"  // NOLINT\n#line 1\n'


def mutated(source: bytes, faults: list[Fault]) -> bytes:
    groups: dict[tuple[int, int], list[Fault]] = {}
    for fault in faults:
        groups.setdefault((fault.start, fault.end), []).append(fault)
    return FIRST_LINE + _Writer(source, groups).text(0, len(source), None)


class _Writer:
    def __init__(self, source: bytes, groups: dict[tuple[int, int], list[Fault]]):
        self.source = source
        self.groups = groups
        self.order = sorted(groups, key=lambda place: (place[0], -place[1]))

    def text(self, start: int, end: int, around) -> bytes:
        """The text from start to end with the faults in it, but for those of the place `around` itself."""
        pieces = []
        at = start
        for place in self.order:
            if place[0] < at or place[1] > end or place == around:
                continue
            pieces += [self.source[at:place[0]], self._faulted(place)]
            at = place[1]
        pieces.append(self.source[at:end])
        return b"".join(pieces)

    def _faulted(self, place: tuple[int, int]) -> bytes:
        faults = self.groups[place]
        result = self.text(*place, place)
        for fault in (f for f in faults if f.form == "choice"):
            start, end, operator = fault.arguments
            left, right = self.text(place[0], start, place), self.text(end, place[1], place)
            result = f"(mutant::on({fault.number}) ? ".encode() + left + operator.encode() + right + b" : " + result + b")"
        for fault in (f for f in faults if f.form == "other"):
            rest = self.text(*fault.arguments, place)
            result = f"(mutant::on({fault.number}) ? (".encode() + rest + b") : " + result + b")"
        for fault in (f for f in faults if f.form == "wrap"):
            prefix, suffix = fault.arguments
            result = prefix.replace("#", str(fault.number)).encode() + result + suffix.encode()
        return result
