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
