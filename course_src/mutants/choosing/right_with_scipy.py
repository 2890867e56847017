"""Right: scipy: roots, minima, the normal law by name."""

# %% noise_for
def noise_for(answers, most, epsilon, delta):
    from scipy.stats import norm

    def log_ratio(log_s):
        s = math.exp(log_s)
        one = norm.logcdf(0.5 / s - epsilon * s)
        other = epsilon + norm.logcdf(-0.5 / s - epsilon * s)
        return one + math.log(-math.expm1(other - one)) - math.log(delta)

    s = math.exp(brentq(log_ratio, math.log(0.3), math.log(50), xtol=1e-13)) * (1 + 1e-8)
    designs = [{"mechanism": "Laplace", "scale": most / epsilon},
               {"mechanism": "Gaussian", "sigma": math.sqrt(most) * s}]
    return designs[0] if most < (epsilon * s) ** 2 / 2 else designs[1]


# %% test_table
def test_table(program):
    from scipy.stats import norm

    exact = [arrow for arrow in ARROWS if arrow[1] != "approx" or arrow[0] == "gauss"]
    for source, target in ARROWS:
        for x in np.geomspace(1e-4, 10, 5).tolist():
            for order, delta in [(1.1, 1e-30), (3, 1e-8), (30, 0.25), (64, 1e-4)]:
                if target == "alpha" and (order - 1) * x > 50:
                    continue
                number = program(source, target, x, order, delta)
                table = theorem(source, target, x, order, delta)
                if (source, target) in exact:
                    if not math.isclose(number, table, rel_tol=1e-7, abs_tol=1e-10):
                        return False
                elif not -1e-12 <= number <= table * (1 + 1e-8):
                    return False
    for own in (0.5, 1.0, 2.0, 4.0):
        for part in (0.3, 0.6):
            p = 1 / (1 + math.exp(-own))
            delta = p - math.exp(part * own) * (1 - p)
            if 0 < delta <= 0.3 and program("zcdp", "approx", own * math.tanh(own / 2), 2, delta) < part * own - 1e-7:
                return False
    # pure DP: the coin's own epsilon, exactly
    for own in (0.05, 0.5, 2.0, 6.0, 9.0):
        for delta in (1e-30, 1e-6, 0.05, 0.3):
            p = 1 / (1 + math.exp(-own))
            least = math.log((p - delta) / (1 - p)) if 2 * p - 1 > delta else 0.0
            if program("pure", "approx", own, 2, delta) < least - 1e-7:
                return False
            for source in ("zcdp", "renyi"):
                for order in (1.5, 8, 40):
                    x = theorem("pure", source, own, order, delta)
                    if program(source, "approx", x, order, delta) < least - 1e-7:
                        return False
    # normal noise: its delta at the epsilon that the program names
    for mu in (0.01, 0.3, 2.0, 4.0):
        for delta in (1e-30, 1e-12, 1e-3, 0.3):
            for source in ("zcdp", "renyi"):
                for order in (1.5, 8, 40):
                    x = mu**2 / 2 * (order if source == "renyi" else 1)
                    e = program(source, "approx", x, order, delta)
                    one = norm.logcdf(mu / 2 - e / mu)
                    other = e + norm.logcdf(-mu / 2 - e / mu)
                    if one + math.log(-math.expm1(min(other - one, -1e-300))) > math.log(delta) + 1e-6:
                        return False
    # a rare word, rarer without Ada
    for a in (1.1, 2, 5, 20, 64):
        for x in (0.5, 2.0):
            for delta in (1e-6, 1e-30):
                p = delta * a / (a - 1)
                log_q = (a * math.log(p) - math.log(math.expm1((a - 1) * x))) / (a - 1)
                if program("renyi", "approx", x, a, delta) < math.log(p - delta) - log_q - 1e-7:
                    return False
    return True


# %% worst_word
def worst_word():
    from scipy.optimize import minimize_scalar as least

    def q_of(p):
        def over(q):
            return p**2 / q + (1 - p) ** 2 / (1 - q) - math.exp(0.4)
        return brentq(over, 1e-12, p * (1 - 1e-9), xtol=1e-16) * (1 + 1e-9)

    found = least(lambda p: math.exp(1.3) * q_of(p) - p, bounds=(0.01, 0.3), method="bounded")
    return {"mechanism": "word", "with_ada": float(found.x), "without_her": q_of(float(found.x))}


# %% noise_against_belief
def noise_against_belief(prior, limit, counts, chance):
    from scipy.special import logit
    from scipy.stats import norm

    c = logit(limit) - logit(prior)

    def too_often(mu):
        return norm.logsf(c, mu**2 / 2, mu) - math.log(chance)

    mu = brentq(too_often, 1e-3, 1e3, xtol=1e-15, rtol=1e-14)
    return [math.sqrt(counts) / mu, norm.sf(c, -(mu**2) / 2, mu)]


# %% exposures
def exposures(groups, delta, chance):
    from scipy.special import xlog1py

    rows = sum(n * r for n, r in groups)
    people = sum(-n * math.expm1(xlog1py(r, -delta)) for n, r in groups)
    return [rows * delta, people, math.exp(xlog1py(rows, -delta)), -math.expm1(xlog1py(1 / rows, -chance))]
