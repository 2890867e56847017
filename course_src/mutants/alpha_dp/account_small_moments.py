"""The moments of coins and of Laplace noise that say nearly nothing are computed before their logarithm.

points:
    account_kept: 0
"""

# %% year_account
def year_account(order, lines):
    def log_moment(word, x):
        if word == "normal":
            return order * (order - 1) / (2 * x**2)
        if word == "claim":
            return math.log1p(order * (order - 1) * x)
        if word == "coin":
            u = (order - 1) * math.log(x / (1 - x))
            return float(np.logaddexp(math.log(x) + u, math.log(1 - x) - u))
        w, rest = order / (2 * order - 1), (order - 1) / (2 * order - 1)
        return float(np.logaddexp(math.log(w) + (order - 1) / x, math.log(rest) - order / x))

    account = sum(k * log_moment(word, x) for word, x, k in lines)
    if account == 0:
        return [0.0, 0.0]
    factor = order * (order - 1)
    if account > 1:
        size = account + math.log1p(-math.exp(-account)) - math.log(factor)
        return [account, math.exp(size) if size < math.log(1e308) else math.inf]
    return [account, math.expm1(account) / factor]
