import math

import pytest

from table.spread import LEAST_CHANGE, changed, noise, quantile, quartiles, ratio_quartiles


def test_quantiles_of_five_numbers_are_their_order_statistics():
    assert quartiles([5, 1, 4, 2, 3]) == (2, 3, 4)


def test_quantiles_lie_linearly_between_order_statistics():
    assert quantile([0, 10], 0.25) == 2.5
    assert quantile([7], 0.75) == 7


def test_no_values_are_refused():
    with pytest.raises(ValueError, match="no values"):
        quartiles([])


def test_ratio_is_the_peer_in_ours():
    assert ratio_quartiles([2], [6]) == (3, 3, 3)


def test_one_bad_repetition_does_not_move_the_ratio():
    ours = [1.0] * 9
    assert ratio_quartiles(ours, [4.0] * 8 + [400.0]) == (4, 4, 4)


def test_noise_of_a_normal_logarithm_is_its_standard_deviation():
    deviation = 0.1
    assert noise(math.exp(-0.6745 * deviation), math.exp(0.6745 * deviation)) == pytest.approx(deviation, rel=1e-3)


@pytest.mark.parametrize("factor, noises, expected", [
    (1 + LEAST_CHANGE + 0.01, (0, 0), True),
    (1 + LEAST_CHANGE - 0.01, (0, 0), False),
    (1 / (1 + LEAST_CHANGE + 0.01), (0, 0), True),
    (1.2, (0.1, 0), False),  # 0.18 is within three deviations
    (1.2, (0, 0.1), False),
    (1.4, (0.1, 0), True),
    (1.4, (0.1, 0.1), False),  # 0.34 beside 3 * 0.14
])
def test_changes_beyond_the_noise_of_both_runs_are_told(factor, noises, expected):
    beyond, part = changed(2 * factor, 2, *noises)
    assert beyond is expected
    assert part == pytest.approx(factor - 1)
