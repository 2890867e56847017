"""What a claim exceeds 1 by is added to logarithms.

points:
    account_kept: 0
"""

# %% year_account
def year_account(order, lines):
    def log_moment(word, x):
        if word == "normal":
            return order * (order - 1) / (2 * x**2)
        if word == "claim":
            return order * (order - 1) * x
        if word == "coin":
            loss, first = math.log(x / (1 - x)), x
            up, down = (order - 1) * loss, -(order - 1) * loss
        else:
            first = order / (2 * order - 1)
            up, down = (order - 1) / x, -order / x
        if up > 1:
            return up + math.log(first + (1 - first) * math.exp(down - up))
        rest = 1 - x if word == "coin" else (order - 1) / (2 * order - 1)
        return math.log1p(first * math.expm1(up) + rest * math.expm1(down))

    account = sum(k * log_moment(word, x) for word, x, k in lines)
    if account == 0:
        return [0.0, 0.0]
    factor = order * (order - 1)
    if account > 1:
        size = account + math.log1p(-math.exp(-account)) - math.log(factor)
        return [account, math.exp(size) if size < math.log(1e308) else math.inf]
    return [account, math.expm1(account) / factor]
