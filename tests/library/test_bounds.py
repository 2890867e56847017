"""Tests that no bound is below the true value, which is computed in 50 digits at random points."""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from cases import few_or_many, log_uniform

from dpteach import (
    ZCDP,
    Adjacency,
    AlphaDP,
    ApproxDP,
    DiscreteLaplace,
    ExponentialMechanism,
    Gaussian,
    GaussianDP,
    Guarantee,
    Laplace,
    Mechanism,
    MutualInformationDP,
    PoissonSubsampled,
    ProbabilisticDP,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    calibrate,
    calibration,
    convert,
)
from dpteach.conversions import (
    alpha_to_epsilon,
    approx_to_probabilistic_delta,
    mutual_information_to_total_variation,
    pinsker_total_variation,
    pure_to_gaussian,
    pure_to_kl,
    renyi_to_epsilon_mironov,
    zcdp_to_delta_bun_steinke,
    zcdp_to_epsilon_bun_steinke,
)
from dpteach.notions.alpha import alpha_of_renyi, renyi_of_alpha
from dpteach.notions.gaussian import log_delta_of_gaussian
from dpteach.notions.pure import alpha_of_response

mp = mpmath.mp.clone()
mp.dps = 50
M = mp.mpf


def gaussian_delta(mu: float, epsilon: float) -> mpmath.mpf:
    context = mp.clone()
    context.dps = 60 + int(min(epsilon, 800) * 0.45) + int(math.log10(1 + epsilon / mu) * 4)
    m, e = context.mpf(mu), context.mpf(epsilon)

    def tail(x: mpmath.mpf) -> mpmath.mpf:
        return context.erfc(x / context.sqrt(2)) / 2

    return tail(e / m - m / 2) - context.exp(e) * tail(e / m + m / 2)


#: the relative amount by which a computed bound may exceed the true value
CLOSE = 1e-11

BOUNDS: dict[str, Callable[[np.random.Generator], tuple[float, mpmath.mpf]]] = {}


def bound(
    function: Callable[[np.random.Generator], tuple[float, mpmath.mpf]],
) -> Callable[[np.random.Generator], tuple[float, mpmath.mpf]]:
    BOUNDS[function.__name__] = function
    return function


def order_and_delta(rng: np.random.Generator) -> tuple[float, float, float]:
    order = 1 + log_uniform(rng, 1e-9, 1e6)
    return order, log_uniform(rng, 1e-8, 50), log_uniform(rng, 1e-300, 1)


@bound
def mironov(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    order, renyi, delta = order_and_delta(rng)
    truth = M(renyi) - mp.log(M(delta)) / (M(order) - 1)
    return renyi_to_epsilon_mironov(order, renyi, delta), truth


@bound
def canonne_kamath_steinke(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    order, renyi, delta = order_and_delta(rng)
    a = M(order)
    truth = M(renyi) + mp.log(1 - 1 / a) - (mp.log(M(delta)) + mp.log(a)) / (a - 1)
    claim = RenyiDP(order, renyi)
    if math.sqrt(renyi / 2) <= delta:
        truth = M(0)
    return claim._closed_epsilon(delta)[0], max(truth, M(0))


@bound
def canonne_kamath_steinke_delta(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    order = 1 + log_uniform(rng, 1e-3, 1e4)
    renyi = log_uniform(rng, 1e-6, 10)
    a = M(order)
    epsilon = renyi + rng.uniform(0, 1) * 600 / (order - 1)
    truth = mp.exp((a - 1) * (M(renyi) - M(epsilon) + mp.log(1 - 1 / a)) - mp.log(a))
    found = RenyiDP(order, renyi)._closed_delta(epsilon)[0]
    return found, min(truth, M(1), mp.sqrt(M(renyi) / 2))


@bound
def liu_wang(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    order, alpha, delta = order_and_delta(rng)
    a = M(order)
    truth = (mp.log(1 + a * (a - 1) * M(alpha)) - mp.log(M(delta))) / (a - 1)
    return alpha_to_epsilon(order, alpha, delta), truth


@bound
def bun_steinke(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    rho, delta = log_uniform(rng, 1e-12, 100), log_uniform(rng, 1e-300, 1)
    truth = M(rho) + 2 * mp.sqrt(-M(rho) * mp.log(M(delta)))
    return zcdp_to_epsilon_bun_steinke(rho, delta), truth


@bound
def zcdp_best_order(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    rho, delta = log_uniform(rng, 1e-8, 100), log_uniform(rng, 1e-300, 0.3)
    r, d = M(rho), M(delta)
    if mp.sqrt(r / 2) <= d:
        return ZCDP(rho).epsilon_at(delta), M(0)
    b = M(math.sqrt(-math.log(delta) / rho))
    # solve r b^2 + log(1 + b) + log d = 0 for b by Newton's method, where r is rho and d is delta;
    # the best order is 1 + b
    for _ in range(200):
        step = (r * b * b + mp.log1p(b) + mp.log(d)) / (2 * r * b + 1 / (1 + b))
        b = max(b - step, b / 10)
        if abs(step) < abs(b) * M(10) ** -45:
            break
    a = 1 + b
    truth = r * a + mp.log(1 - 1 / a) - (mp.log(d) + mp.log(a)) / b
    return ZCDP(rho).epsilon_at(delta), max(truth, M(0))


@bound
def gaussian_profile(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    mu = log_uniform(rng, 1e-6, 300)
    epsilon = max(0.0, mu * (mu / 2 + rng.uniform(-8, 36)))
    return GaussianDP(mu).delta_at(epsilon), gaussian_delta(mu, epsilon)


@bound
def pure_profile(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    epsilon, delta = log_uniform(rng, 1e-6, 50), float(rng.choice([0.0, 1e-9, 0.1]))
    smaller = epsilon * rng.uniform(0, 1)
    truth = 1 - (mp.exp(M(smaller)) + 1) * (1 - M(delta)) / (mp.exp(M(epsilon)) + 1)
    return ApproxDP(epsilon, delta).delta_at(smaller), truth


@bound
def pure_profile_inverse(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    epsilon = log_uniform(rng, 1e-6, 50)
    delta = rng.uniform(0, 1) * math.tanh(epsilon / 2)
    truth = mp.log((1 - M(delta)) * (mp.exp(M(epsilon)) + 1) - 1)
    value = PureDP(epsilon).epsilon_at(delta)
    # if the true epsilon is near 0, rounding the inputs may change it by much; the test then
    # requires only that the computed bound is not too small, and not that it is close
    return value, truth if truth > 1e-3 * epsilon else max(truth, M(value))


@bound
def sharp_kl(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    epsilon = log_uniform(rng, 1e-9, 600)
    return pure_to_kl(epsilon), M(epsilon) * mp.tanh(M(epsilon) / 2)


@bound
def pinsker(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    kl = log_uniform(rng, 1e-300, 10)
    return pinsker_total_variation(kl), min(M(1), mp.sqrt(M(kl) / 2))


@bound
def information_to_variation(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    epsilon = log_uniform(rng, 1e-12, 0.69)
    value = mutual_information_to_total_variation(epsilon)
    d = M(value)
    # solve d artanh d + log(1 - d^2)/2 = epsilon for d by Newton's method, starting from `value`
    for _ in range(60):
        step = (d * mp.atanh(d) + mp.log1p(-d * d) / 2 - M(epsilon)) / mp.atanh(d)
        d -= step
        if abs(step) < abs(d) * M(10) ** -45:
            break
    return value, d


@bound
def laplace_profile(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    scale = log_uniform(rng, 1e-3, 1e6)
    mechanism = Laplace(scale)
    epsilon = rng.uniform(0, 1) * mechanism.shift
    truth = -mp.expm1((M(epsilon) - M(mechanism.shift)) / 2)
    return mechanism.guarantee(ApproxDP, epsilon=epsilon).delta, truth


@bound
def laplace_profile_inverse(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    mechanism = Laplace(log_uniform(rng, 1e-3, 1e3))
    delta = log_uniform(rng, 1e-12, 0.9)
    truth = M(mechanism.shift) + 2 * mp.log1p(-M(delta))
    return mechanism.guarantee(ApproxDP, delta=delta).epsilon, max(truth, M(0))


POINTS = few_or_many("points", 200, 700, 2000)


@POINTS
@pytest.mark.parametrize("name", BOUNDS)
def test_bound_is_above_the_truth_and_close(name: str, points: int) -> None:
    rng = np.random.default_rng(20240607)
    for _ in range(points if name != "gaussian_profile" else points // 5):
        value, truth = BOUNDS[name](rng)
        assert M(value) >= truth, (name, value, truth)
        assert M(value) <= truth * (1 + M(CLOSE)) + M(10) ** -12, (name, value, truth)


@POINTS
def test_gaussian_epsilon_is_safe_and_close(points: int) -> None:
    rng = np.random.default_rng(7)
    for _ in range(points // 8):
        mu, delta = log_uniform(rng, 1e-4, 300), log_uniform(rng, 1e-300, 0.5)
        epsilon = GaussianDP(mu).epsilon_at(delta)
        assert gaussian_delta(mu, epsilon) <= M(delta)
        if epsilon > 0:
            assert gaussian_delta(mu, epsilon * (1 - 1e-10)) > M(delta) * (1 - M(10) ** -9)


@POINTS
def test_calibrated_gaussian_is_safe_and_close(points: int) -> None:
    rng = np.random.default_rng(8)
    for _ in range(points // 8):
        epsilon, delta = log_uniform(rng, 1e-3, 50), log_uniform(rng, 1e-100, 0.3)
        sigma = calibrate(Gaussian, ApproxDP(epsilon, delta)).sigma
        assert gaussian_delta(1 / sigma, epsilon) <= M(delta) * (1 + M(10) ** -15)
        assert gaussian_delta(1 / (sigma * (1 - 1e-10)), epsilon) > M(delta)


@pytest.mark.parametrize("sigma", [1e-3, 1e-2, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("delta", [1e-300, 1e-15, 0.4])
def test_far_ends(sigma: float, delta: float) -> None:
    claim = Gaussian(sigma).guarantee(GaussianDP)
    epsilon = claim.epsilon_at(delta)
    assert 0 <= epsilon < math.inf
    if epsilon > 0:
        assert log_delta_of_gaussian(claim.mu, epsilon) == pytest.approx(math.log(delta), abs=1e-6)
    assert claim.delta_at(0.0) <= 1
    assert ZCDP(claim.mu**2 / 2).epsilon_at(delta) >= epsilon * (1 - 1e-12)


# --- calibrated noise suffices, and is hardly more than necessary -------------------------------

#: for each method of calibration, a function that draws random parameters and returns the computed
#: noise and the least noise that suffices
NOISE: dict[str, Callable[[np.random.Generator], tuple[float, mpmath.mpf]]] = {}


def noise(
    function: Callable[[np.random.Generator], tuple[float, mpmath.mpf]],
) -> Callable[[np.random.Generator], tuple[float, mpmath.mpf]]:
    NOISE[function.__name__] = function
    return function


def setting(rng: np.random.Generator) -> tuple[float, int]:
    return log_uniform(rng, 1e-6, 1e6), int(log_uniform(rng, 1, 1e6))


@noise
def gaussian_for_zcdp(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    (s, k), rho = setting(rng), log_uniform(rng, 1e-12, 300)
    found = calibrate(Gaussian, ZCDP(rho), sensitivity=s, k=k)
    return found.sigma, M(s) * mp.sqrt(k / (2 * M(rho)))


@noise
def gaussian_for_mu(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    (s, k), mu = setting(rng), log_uniform(rng, 1e-9, 300)
    return calibrate(Gaussian, GaussianDP(mu), sensitivity=s, k=k).sigma, M(s) * mp.sqrt(k) / M(mu)


@noise
def gaussian_for_renyi(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    (s, k), epsilon = setting(rng), log_uniform(rng, 1e-12, 700)
    order = 1 + log_uniform(rng, 1e-9, 1e6)
    found = calibrate(Gaussian, RenyiDP(order, epsilon), sensitivity=s, k=k)
    return found.sigma, M(s) * mp.sqrt(k * M(order) / (2 * M(epsilon)))


@noise
def gaussian_for_alpha(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    (s, k), epsilon = setting(rng), log_uniform(rng, 1e-12, 1e3)
    order = 1 + log_uniform(rng, 1e-6, 1e4)
    a = M(order)
    found = calibrate(Gaussian, AlphaDP(order, epsilon), sensitivity=s, k=k)
    return found.sigma, M(s) * mp.sqrt(k * a * (a - 1) / (2 * mp.log1p(a * (a - 1) * M(epsilon))))


@noise
def laplace_for_pure(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    (s, k), epsilon = setting(rng), log_uniform(rng, 1e-9, 700)
    return calibrate(Laplace, PureDP(epsilon), sensitivity=s, k=k).scale, M(s) * k / M(epsilon)


@noise
def laplace_for_approx(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    (s, _), epsilon = setting(rng), log_uniform(rng, 1e-9, 300)
    delta = log_uniform(rng, 1e-300, 0.9)
    found = calibrate(Laplace, ApproxDP(epsilon, delta), sensitivity=s)
    return found.scale, M(s) / (M(epsilon) - 2 * mp.log1p(-M(delta)))


@noise
def sigma_at_the_best_order(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    (s, k), epsilon = setting(rng), log_uniform(rng, 1e-9, 700)
    delta = log_uniform(rng, 1e-300, 0.9)
    log_term = -mp.log(M(delta))
    root = mp.sqrt(log_term + M(epsilon)) - mp.sqrt(log_term)
    found = calibration.sigma_at_best_order(epsilon, delta=delta, k=k, sensitivity=s)
    return found.value, M(s) * mp.sqrt(M(k) / 2) / root


@noise
def epsilon_at_the_best_order(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    # this function returns an epsilon instead of an amount of noise, but the test of `NOISE`
    # applies to it, too: the computed value is at least the true one, and hardly larger
    (s, k), sigma = setting(rng), log_uniform(rng, 1e-3, 1e6)
    delta = log_uniform(rng, 1e-300, 0.9)
    rho = k * (M(s) / M(sigma)) ** 2 / 2
    found = calibration.epsilon_at_best_order(sigma, delta=delta, k=k, sensitivity=s)
    return found.value, rho + 2 * mp.sqrt(-rho * mp.log(M(delta)))


@POINTS
@pytest.mark.parametrize("name", NOISE)
def test_noise_is_enough_and_hardly_more(name: str, points: int) -> None:
    rng = np.random.default_rng(20240608)
    for _ in range(points):
        value, truth = NOISE[name](rng)
        assert truth <= M(value) <= truth * (1 + M(CLOSE)), (name, value, truth)


def response_moment(epsilon: mpmath.mpf, order: mpmath.mpf) -> mpmath.mpf:
    return (mp.exp(order * epsilon) + mp.exp((1 - order) * epsilon)) / (1 + mp.exp(epsilon))


def response_for_zcdp(
    rng: np.random.Generator,
) -> tuple[float, Callable[[mpmath.mpf], bool]]:
    k, rho = int(log_uniform(rng, 1, 1e4)), log_uniform(rng, 1e-9, 300)
    found = calibrate(RandomizedResponse, ZCDP(rho), k=k)
    return found.epsilon, lambda e: k * e * mp.tanh(e / 2) > M(rho)


def response_for_alpha(
    rng: np.random.Generator,
) -> tuple[float, Callable[[mpmath.mpf], bool]]:
    k, epsilon = int(log_uniform(rng, 1, 1e4)), log_uniform(rng, 1e-9, 300)
    order = 1 + log_uniform(rng, 1e-3, 100)
    a = M(order)
    found = calibrate(RandomizedResponse, AlphaDP(order, epsilon), k=k)
    goal = 1 + a * (a - 1) * M(epsilon)
    return found.epsilon, lambda e: response_moment(e, a) ** k > goal


def response_for_information(
    rng: np.random.Generator,
) -> tuple[float, Callable[[mpmath.mpf], bool]]:
    k, epsilon = int(log_uniform(rng, 1, 100)), log_uniform(rng, 1e-9, 0.69)

    def misses(e: mpmath.mpf) -> bool:
        flip = 1 / (1 + mp.exp(e))
        entropy = -flip * mp.log(flip) - (1 - flip) * mp.log1p(-flip)
        return bool(k * (mp.log(2) - entropy) > M(epsilon))

    return calibrate(RandomizedResponse, MutualInformationDP(epsilon), k=k).epsilon, misses


def response_for_approx(
    rng: np.random.Generator,
) -> tuple[float, Callable[[mpmath.mpf], bool]]:
    epsilon, delta = log_uniform(rng, 1e-6, 30), log_uniform(rng, 1e-12, 0.9)
    found = calibrate(RandomizedResponse, ApproxDP(epsilon, delta))
    x = M(epsilon)
    return found.epsilon, lambda e: 1 - (mp.exp(x) + 1) / (mp.exp(e) + 1) > M(delta)


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [response_for_zcdp, response_for_alpha, response_for_information, response_for_approx],
)
def test_odds_are_small_enough_and_hardly_smaller(
    make: Callable[[np.random.Generator], tuple[float, Callable[[mpmath.mpf], bool]]],
    everything: bool,
) -> None:
    rng = np.random.default_rng(20240609)
    for _ in range(2000 if everything else 200):
        epsilon, misses = make(rng)
        assert not misses(M(epsilon)), (make, epsilon)
        if epsilon < 699:
            assert misses(M(epsilon) * (1 + M(10) ** -9)), (make, epsilon)


def test_a_guarantee_that_underflows_is_not_perfect() -> None:
    for mechanism in (
        Gaussian(1e170),
        Gaussian(1e300, 1e-300),
        Laplace(1e170),
        Laplace(1e308, 1e-300),
    ):
        assert mechanism.guarantee(ZCDP).rho > 0
        assert mechanism.guarantee(RenyiDP, orders=2).epsilons[0] > 0
    response = RandomizedResponse(1e-170)
    assert response.guarantee(ZCDP).rho > 0
    assert response.guarantee(RenyiDP, orders=1e200).epsilons[0] > 0


def test_a_conversion_that_underflows_is_not_perfect() -> None:
    for claim in (PureDP(1e-170), GaussianDP(1e-170)):
        assert convert(claim, to=ZCDP).rho > 0
        assert convert(claim, to=RenyiDP, orders=2).epsilons[0] > 0
    assert convert(PureDP(1e-170), to=ZCDP, by="Bun-Steinke").rho > 0
    assert convert(GaussianDP(0.0), to=ZCDP).rho == 0
    assert GaussianDP(5e-324).epsilon_at(1e-300) >= 0
    assert GaussianDP(5e-324).delta_at(0.0) > 0


def test_alpha_claims_beyond_the_floats_have_an_epsilon() -> None:
    for order, alpha in ((2.0, 1e308), (3.0, 1e308), (50.0, 1e306)):
        truth = mp.log1p(M(order) * (M(order) - 1) * M(alpha)) / (M(order) - 1)
        (renyi,) = convert(AlphaDP(order, alpha), to=RenyiDP).epsilons
        assert M(renyi) >= truth
        assert renyi == pytest.approx(float(truth), rel=1e-12)


#: for each conversion, a function that draws random parameters and returns the computed bound and
#: the exact bound
CONVERSIONS: dict[str, Callable[[np.random.Generator], tuple[float, mpmath.mpf]]] = {}


def conversion(
    function: Callable[[np.random.Generator], tuple[float, mpmath.mpf]],
) -> Callable[[np.random.Generator], tuple[float, mpmath.mpf]]:
    CONVERSIONS[function.__name__] = function
    return function


@conversion
def bun_steinke_tail(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    rho = log_uniform(rng, 1e-9, 100)
    epsilon = rho + rng.uniform(0, 1) ** 3 * 2 * math.sqrt(600 * rho)
    r, e = M(rho), M(epsilon)
    x = 1 + (e - r) / (2 * r)
    factor = 2 / (x + mp.sqrt(x * x + 4 / (mp.pi * r)))
    truth = factor * mp.exp(-((e - r) ** 2) / (4 * r))
    return zcdp_to_delta_bun_steinke(rho, epsilon), truth


@conversion
def bun_steinke_root(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    rho, delta = log_uniform(rng, 1e-9, 100), log_uniform(rng, 1e-300, 1)
    log_term = max(M(0), mp.log(mp.sqrt(mp.pi * M(rho)) / M(delta)))
    truth = M(rho) + 2 * mp.sqrt(M(rho) * log_term)
    found = convert(ZCDP(rho), to=ApproxDP, by="Bun-Steinke root", delta=delta)
    return found.epsilon, truth


@conversion
def pure_to_mu(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    epsilon = log_uniform(rng, 1e-12, 700)
    # solve log Phi(-mu/2) = -log(1 + e^epsilon) for mu by Newton's method; x is mu/2
    context = mp.clone()
    context.dps = 60
    goal = -context.log1p(context.exp(context.mpf(epsilon)))
    x = context.mpf(pure_to_gaussian(epsilon)) / 2
    for _ in range(6):
        tail = context.erfc(x / context.sqrt(2)) / 2
        density = context.exp(-x * x / 2) / context.sqrt(2 * context.pi)
        x += (context.log(tail) - goal) * tail / density
    return pure_to_gaussian(epsilon), M(2 * x)


@conversion
def pure_to_renyi(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    epsilon, order = log_uniform(rng, 1e-6, 100), 1 + log_uniform(rng, 1e-3, 1e3)
    a, e = M(order), M(epsilon)
    true, false = 1 / (1 + mp.exp(-e)), 1 / (1 + mp.exp(e))
    truth = mp.log(true**a * false ** (1 - a) + false**a * true ** (1 - a)) / (a - 1)
    return convert(PureDP(epsilon), to=RenyiDP, orders=order).epsilons[0], truth


@conversion
def tail_of_approx(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    epsilon, delta = log_uniform(rng, 1e-6, 100), float(rng.choice([0.0, 1e-300, 1e-5, 0.3]))
    e = log_uniform(rng, 1e-6, 100)
    # `level` is the epsilon at which delta is computed. In some cases it is the epsilon of the
    # guarantee, or exceeds it by a relative 1e-6 to 1: near that epsilon, the formula for delta
    # subtracts nearly equal numbers
    level = float(rng.choice([e, epsilon, epsilon * (1 + 10 ** rng.uniform(-6, 0))]))
    a, b, d = M(epsilon), M(level), M(delta)
    truth = min(M(1), (mp.exp(a) - 1 + d) / (mp.exp(a) - mp.exp(-b)))
    if level > epsilon:
        truth = min(truth, d / (1 - mp.exp(a - b)))
    elif level == epsilon and delta == 0:
        truth = M(0)
    return approx_to_probabilistic_delta(epsilon, delta, level), truth


@conversion
def pure_to_information(rng: np.random.Generator) -> tuple[float, mpmath.mpf]:
    epsilon = log_uniform(rng, 1e-9, 700)
    u = M(epsilon) / (1 - mp.exp(-M(epsilon)))
    claim = PureDP(epsilon, adjacency=Adjacency.REPLACE_ONE)
    return convert(claim, to=MutualInformationDP).epsilon, u - 1 - mp.log(u)


@POINTS
@pytest.mark.parametrize("name", CONVERSIONS)
def test_a_conversion_is_above_the_truth_and_close_to_it(name: str, points: int) -> None:
    rng = np.random.default_rng(20240610)
    for _ in range(points):
        value, truth = CONVERSIONS[name](rng)
        least = M(math.ulp(0.0))
        assert truth <= M(value) <= truth * (1 + M(CLOSE)) + 2 * least, (name, value, truth)


@pytest.mark.parametrize(
    "claim", [ZCDP(5e-324), ZCDP(1e-310), RenyiDP(1, 5e-324), AlphaDP(1 + 1e-12, 5e-324)]
)
def test_the_least_claims_are_not_perfect_privacy(claim: Guarantee) -> None:
    # delta can be about as large as the square root of the claim's parameter (Pinsker's
    # inequality), and this root is above 1e-163; a delta as small as the parameter itself would be
    # wrong
    assert claim.delta_at(0) > 1e-163
    assert claim.epsilon_at(0) == math.inf
    assert claim.epsilon_at(1e-170) > 0


def test_products_that_underflow_do_not_shrink_divergences() -> None:
    near = 1 + 2.0**-50
    assert alpha_of_response(1e-155, near) == pytest.approx(5e-311, rel=1e-9)
    assert alpha_of_renyi(near, 1e-310) == pytest.approx(1e-310, rel=1e-9)
    assert renyi_of_alpha(near, 1e-310) == pytest.approx(1e-310, rel=1e-9)
    assert PureDP(5e-324).delta_at(0) > 0
    assert pure_to_gaussian(5e-324) > 0
    for mechanism in (
        ExponentialMechanism(1e-170),
        DiscreteLaplace(1e170),
        PoissonSubsampled(Gaussian(1e170), rate=0.5),
        PoissonSubsampled(Laplace(1.0), rate=1e-300),
        Gaussian(1.0, 1e-200),
    ):
        for order in (near, 2):
            assert mechanism.guarantee(RenyiDP, orders=order).epsilons[0] > 0, mechanism
            assert mechanism.guarantee(AlphaDP, order=order).epsilon > 0, mechanism
    for mechanism in (ExponentialMechanism(5e-324), Laplace(1e300, 1e-100)):
        assert mechanism.guarantee(ApproxDP, epsilon=0).delta > 0, mechanism
    assert RandomizedResponse(1e-170).guarantee(MutualInformationDP).epsilon > 0


def test_the_tail_of_the_least_shifts_is_found() -> None:
    claim = Gaussian(1e300, 1e-20).guarantee(ProbabilisticDP, delta=0.3)
    assert claim.epsilon == pytest.approx(0.5244 * 1e-320, rel=0.01)


@pytest.mark.parametrize("mechanism", [Laplace(1e-300, 1e100), DiscreteLaplace(1e-300, 10**100)])
def test_losses_beyond_the_floats_are_named(mechanism: Mechanism) -> None:
    with pytest.raises(ValueError, match=r"epsilons\[0\] must be finite"):
        mechanism.guarantee(RenyiDP, orders=1)
    with pytest.raises(ValueError, match="rho must be finite"):
        mechanism.guarantee(ZCDP)
