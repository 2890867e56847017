"""Right: loops, no arrays."""

# %% printed_range
def printed_range(text):
    step = 1.0
    mantissa, exponent = text, 0
    if "e" in text:
        place = text.index("e")
        mantissa, exponent = text[:place], int(text[place + 1:])
    if "." in mantissa:
        step = 10.0 ** -len(mantissa[mantissa.index(".") + 1:])
    step *= 10.0 ** exponent
    return float(text) - step / 2, float(text) + step / 2


# %% answers_that_fit
def answers_that_fit(settings, orders, slipped):
    def fits(k, sigma, delta, order, factors):
        cost = math.log(1 / delta)
        best, least = None, math.inf
        for a in range(2, 301):
            epsilon = (k * factors[a] + cost) / (a - 1)
            if epsilon < least:
                best, least = a, epsilon
        return best == order

    left = list(range(1, 1001))
    for (sigma, delta), order in zip(settings, orders):
        factors = {}
        for a in range(2, 301):
            x = a * (a - 1) / (2 * sigma**2)
            if slipped:
                factors[a] = math.log(1 + math.exp(x - 1)) if x < 100 else x - 1
            else:
                factors[a] = x
        left = [k for k in left if fits(k, sigma, delta, order, factors)]
    return [min(left), max(left)] if left else []


# %% suspects_weighed
def suspects_weighed(rows, misprint):
    products = [1.0, 1.0, 1.0]
    for sigma, order, text in rows:
        low, high = printed_range(text)
        pairs = order * (order - 1)
        x = pairs / (2 * sigma**2)
        digits = len(text.split("e")[0].replace(".", ""))
        lot = misprint / (9 * 10 ** (digits - 1))
        for i, top in enumerate((math.exp(x) - 1, math.exp(x), math.exp(x - 1))):
            if low <= top / pairs <= high:
                products[i] *= 1 - misprint + lot
            else:
                products[i] *= lot
    return [product / sum(products) for product in products]
