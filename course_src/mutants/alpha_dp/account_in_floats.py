"""Moments as floats, from which 1 is taken off.

points:
    account_kept: 0
"""

# %% year_account
def year_account(order, lines):
    moment = 1.0
    try:
        for word, x, k in lines:
            if word == "normal":
                one = math.exp(order * (order - 1) / (2 * x**2))
            elif word == "claim":
                one = 1 + order * (order - 1) * x
            elif word == "coin":
                one = x**order * (1 - x) ** (1 - order) + (1 - x) ** order * x ** (1 - order)
            else:
                one = order * math.exp((order - 1) / x) + (order - 1) * math.exp(-order / x)
                one /= 2 * order - 1
            moment *= one**k
    except (OverflowError, ZeroDivisionError):
        return [math.inf, math.inf]
    return [math.log(moment), (moment - 1) / (order * (order - 1))]
