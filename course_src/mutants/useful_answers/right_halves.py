"""Right: noise in halves of the budget, a search by the library, a repair on a line of its own."""

# %% best_bound
def best_bound(report, people, epsilon):
    from scipy.optimize import minimize_scalar

    mean = sum(report) / len(report)

    def error(bound):
        bias = mean - np.minimum(report, bound).mean()
        return math.hypot(bias, math.sqrt(2) * bound / (people * epsilon))

    found = minimize_scalar(error, bounds=(0, max(report)), method="bounded")
    return [found.x, found.fun]


# %% guess_stay
def guess_stay(answers, totals, epsilons):
    size = sum(abs(a - t) * e for a, t, e in zip(answers, totals, epsilons)) / 12
    return min([30, 60, 130, 365], key=lambda stay: abs(stay - size))


# %% repaired_change
def repaired_change(changes, low, high, epsilon, rng):
    n = len(changes)
    changes = [min(high, max(low, x)) for x in changes]
    mean = sum(changes) / n
    cut = min(high, max(low, mean))
    scale = (high - low) / (n * epsilon)
    return cut + rng.laplace(0.0, scale)


# %% noise_for_year
def noise_for_year():
    weeks = 5.495266 * math.sqrt(2 * 20 * 9)
    year = 5.495266 * math.sqrt(2 * 20 * 81)
    return {"mechanism": "Gaussian", "sigma_weeks": weeks, "sigma_year": year}


# %% test_noisy_mean
def test_noisy_mean(implementation):
    for values in ([5], [-50], [2, 5, 130], [1, 2, 7.5, -40, 3]):
        for low, high in ((0, 30), (-8, 12), (-20, -3)):
            for epsilon in (0.1, 4):
                for z in (-2, 0, 7):
                    found = implementation(list(values), low, high, epsilon, z)
                    wanted = noisy_mean(values, low, high, epsilon, z)
                    assert math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)


# %% reach
def reach(sampling, scale, miss):
    from scipy.optimize import brentq
    from scipy.stats import laplace, norm

    # both sides at once
    def missed(w):
        return normal_average(
            lambda z: laplace.sf(w - sampling * z, scale=scale) + laplace.cdf(-w - sampling * z, scale=scale)
        )

    low = sampling * norm.isf(miss / 2)
    return brentq(lambda w: missed(w) - miss, low, low + 20 * scale)
