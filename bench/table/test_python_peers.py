"""The peers in Python must answer the same question: two routes of theirs against each other and against known answers."""
import math

import numpy as np
import pytest

import numpy_peer

scipy_peer = pytest.importorskip("scipy_peer")


def drawn(count, rest, seed=1):
    random = np.random.default_rng(seed)
    a, c = random.uniform(0.5, 3, count), random.uniform(0.5, 3, count)
    coupling = random.uniform(-0.95, 0.95, count) * np.sqrt(a * c)
    slip = np.zeros(count) if rest else random.uniform(-1, 1, count)
    return [a, coupling, c, random.normal(size=count), random.normal(size=count), slip, random.uniform(0.05, 2, count)]


@pytest.mark.parametrize("rest", [False, True])
def test_signs_alone_count_the_modes_that_forces_show(rest):
    contacts = drawn(2000, rest)
    by_forces = sum(m.astype(int) for m in numpy_peer.modes(*contacts)[:4])
    assert np.array_equal(by_forces, numpy_peer.verdict(*contacts))
    assert set(by_forces) >= {0, 1, 2} or rest


def test_all_bases_of_the_complementarity_problem_are_the_modes():
    for row in zip(*drawn(200, True)):
        M, q = numpy_peer.standard_form(*row)
        found = numpy_peer.lcp_solutions(M, q)
        # Stick has several bases, for λ+ and λ− may both act: a motion is known by its force.
        forces = {(round(z[0] - z[1], 9), round(z[2], 9)) for z in found}
        pressed = len({force for force in forces if force[1] > 0})
        free = any(force[1] == 0 for force in forces)
        modes = [bool(m) for m in numpy_peer.modes(*row)[:4]]
        assert (free, pressed) == (modes[0], sum(modes[1:])), row


def test_the_rod_upright_does_not_couple():
    W_tt, W_tn, W_nn, b_t, b_n, u_t, _ = numpy_peer.rod_contact(math.pi / 2, 0.5, 0, 2.0, 0.3)
    assert (W_tt, W_nn) == (4, pytest.approx(1)) and W_tn == pytest.approx(0, abs=1e-15)
    assert (b_t, b_n, u_t) == (pytest.approx(0, abs=1e-15), pytest.approx(4 - 9.81), pytest.approx(-1.5))


@pytest.mark.parametrize("mu, after", [(0.0, (1.0, 0.5)), (10.0, None)])
def test_an_impact_without_friction_keeps_its_slip(mu, after):
    contact = [2.0, 0.5, 1.0, 1.0, mu, -1.0, 0.5]  # W_tt W_tn W_nn u_t mu u_n restitution
    run = scipy_peer.planar_impact(contact, 1e-11)
    if after:  # the slip only gains W_tn times the impulse 1.5 / W_nn
        assert run["after"] == pytest.approx([1 + 0.5 * 1.5, 0.5], abs=1e-9)
    else:  # it sticks at the end
        assert run["after"][0] == pytest.approx(0, abs=1e-12)


def test_the_jacobian_of_the_compliant_rod_is_that_of_its_rates():
    phase = scipy_peer.CompliantPhase()
    phase.k = 100.0
    y = np.array([-0.01, 2.0, -0.3, -0.2, 0.7])
    for phase.slips in (True, False):
        numbers = [(np.array(phase.rates(y + h)) - np.array(phase.rates(y - h))) / 2e-6 for h in 1e-6 * np.eye(5)]
        assert phase.jacobian(y) == pytest.approx(np.array(numbers).T, abs=1e-6)


def test_the_falling_rod_keeps_its_energy_with_the_tolerance():
    coarse, fine = scipy_peer.falling_rod(1e-6), scipy_peer.falling_rod(1e-11)
    assert fine["defect"] < 1e-10 and fine["defect"] < coarse["defect"]
    assert coarse["theta"] == pytest.approx(fine["theta"], abs=1e-5)
