"""Right: exact decimals and fractions."""

# %% printed_range
def printed_range(text):
    from decimal import Decimal

    value = Decimal(text)
    half = Decimal((0, (5,), value.as_tuple().exponent - 1))
    return [float(value - half), float(value + half)]


# %% picture_by_hand
def picture_by_hand():
    return [3061.6, 61.7, 985.9]


# %% mended_count
def mended_count(count, k, epsilon, delta, rng):
    sigma = math.inf
    for order in range(2, 65):
        room = (math.log(delta) + (order - 1) * epsilon) / k  # what is left for x
        if room > 0:
            needed = math.sqrt(order * (order - 1) / (2 * room))
            sigma = min(sigma, needed)
    return count + rng.normal(0.0, sigma)


# %% noise_of_counts
def noise_of_counts():
    from fractions import Fraction

    from scipy.special import log_ndtr

    low, high = Fraction(1), Fraction(1000)
    while high - low > Fraction(1, 1000):
        middle = (low + high) / 2
        mu = math.sqrt(60) / float(middle)
        u, v = log_ndtr(mu / 2 - 0.5 / mu), 0.5 + log_ndtr(-mu / 2 - 0.5 / mu)
        kept = u + math.log1p(-math.exp(v - u)) <= math.log(1e-15)
        low, high = (low, middle) if kept else (middle, high)
    return {"mechanism": "Gaussian", "sigma": float(high)}
