"""The flat claim is broken where it still holds.

points:
    claims_broken: 2.33
"""

# %% mild_witness
def mild_witness(claim, order, c):
    def alpha(a, x):
        return math.expm1(a * (a - 1) * x**2 / 2) / (a * (a - 1))

    def laplace(a, t):
        return (a * math.exp((a - 1) * t) + (a - 1) * math.exp(-a * t)) / (2 * a - 1)

    def moment(p, q, a):
        return p**a * q ** (1 - a) + (1 - p) ** a * (1 - q) ** (1 - a)

    sides = {
        "sum": lambda a, x: (alpha(a, math.sqrt(2) * x), 2 * alpha(a, x)),
        "flat": lambda a, x: (alpha(a, x), x**2),
        "orders": lambda a, x: (alpha(2 * a, x), alpha(a, x)),
        "coordinates": lambda a, x: (laplace(a, 2 * x), laplace(a, x) ** 2),
        "step": lambda a, x: (moment(0.5, x, a), moment(0.5, c, 2 * a)),
    }
    if claim not in sides:
        return -1
    if claim == "flat":
        return 1.2 / order
    high = c if claim == "step" else 3 if claim == "coordinates" else 1.5
    for x in np.linspace(0.01, high, 20_000):
        left, right = sides[claim](order, float(x))
        if 1.06 <= left / right <= 1.24:
            return float(x)
    return -1
