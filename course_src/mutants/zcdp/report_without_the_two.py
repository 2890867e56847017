"""rho without its 2.

points:
    report_on_paper: 0
"""

# %% report_by_hand
def report_by_hand():
    squares = 2 * 18 + 4
    rho = squares / 12 ** 2
    epsilon = rho + 2 * math.sqrt(rho * math.log(10**8))
    others = 12 * math.sqrt(2 * 18 / (squares - 4 * 4))
    return [round(rho, 3), round(epsilon, 3), round(others, 3)]
