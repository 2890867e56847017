"""Nothing overflows, but 1 is added to tiny claims, and taken off again.

points:
    account_kept: 0
"""

# %% year_account
def year_account(order, lines):
    account, factor = 0.0, order * (order - 1)
    for word, x, k in lines:
        if word == "normal":
            one = factor / (2 * x**2)
        elif word == "claim":
            one = math.log(1 + factor * x)
        elif word == "coin":
            u = (order - 1) * math.log(x / (1 - x))
            one = log_of_two(x, u, 1 - x, -u)
        else:
            rest = (order - 1) / (2 * order - 1)
            one = log_of_two(1 - rest, (order - 1) / x, rest, -order / x)
        account += k * one
    if account > 600:
        size = account - math.log(factor)
        return [account, math.exp(size) if size < math.log(1e308) else math.inf]
    return [account, (math.exp(account) - 1) / factor]
