"""A small run for the tests: what measure.Samples would hold after four rounds."""
from .measure import Samples


def samples(ours=(10.0, 11.0, 12.0, 13.0), theirs=(30.0, 31.0, 33.0, 40.0)):
    run = Samples()
    for a, b in zip(ours, theirs):
        run.add("pivoting/2/8", a, {"solved": 1.0})
        run.add("siconos_pivoting/2/8", b, {"solved": 0.75})
    return run


ANSWERS = {"pivoting/2/8": {"hash": "00000000000000ab", "solved": 1.0, "residual": 2e-16, "work": {"pivots": 20.5}}}
MACHINE = {"processor": "Abacus", "cores": 2, "memory_gib": 4, "governor": "none", "system": "Debian", "load_start": 0, "load_end": 0}
BUILD = {"commit": "c0ffee", "version": "0.1.0", "compiler": "GNU 12", "flags": "-O2"}
