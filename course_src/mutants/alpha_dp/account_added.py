"""The numbers on the alpha scale are added up.

points:
    account_kept: 0
"""

# %% year_account
def year_account(order, lines):
    factor = order * (order - 1)

    def log_moment(word, x):
        if word == "normal":
            return factor / (2 * x**2)
        if word == "claim":
            return math.log1p(factor * x)
        if word == "coin":
            first, second = x, 1 - x
            up = (order - 1) * math.log(x / (1 - x))
            down = -up
        else:
            first, second = order / (2 * order - 1), (order - 1) / (2 * order - 1)
            up, down = (order - 1) / x, -order / x
        if up > 1:
            return up + math.log(first + second * math.exp(down - up))
        return math.log1p(first * math.expm1(up) + second * math.expm1(down))

    total = 0.0
    for word, x, k in lines:
        size = log_moment(word, x)
        total += k * math.expm1(size) / factor if size < 700 else math.inf
    return [math.log1p(factor * total), total]
