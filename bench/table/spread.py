"""Medians, quartiles and what counts as noise. Times of one program on a machine with other work have a sharp lower edge and
a long tail upwards, so everything here is made of order statistics."""
import math


def quantile(values, part):
    """Linear between the order statistics; `part` from 0 to 1."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values: a quantile needs one or more")
    place = part * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def quartiles(values):
    return tuple(quantile(values, part) for part in (0.25, 0.5, 0.75))


def ratio_quartiles(ours, theirs):
    """Of theirs/ours over all pairs of repetitions. The middle one is the median of all pairs, not the quotient of two
    medians: one bad repetition moves neither."""
    return quartiles([b / a for a in ours for b in theirs])


NORMAL = 1.349  # distance of the quartiles of a normal distribution in its standard deviations


def noise(low, high):
    """Standard deviation of the logarithm of a ratio, as its quartiles show it."""
    return math.log(high / low) / NORMAL


LEAST_CHANGE = 0.05  # of a ratio: a program that is linked anew moves by less without any reason in its source
DEVIATIONS = 3


def changed(now, before, noise_now, noise_before):
    """Whether a ratio changed by more than the noise of both runs explains; and the change as a part of it."""
    change = math.log(now / before)
    allowed = max(math.log1p(LEAST_CHANGE), DEVIATIONS * math.hypot(noise_now, noise_before))
    return abs(change) > allowed, math.expm1(change)
