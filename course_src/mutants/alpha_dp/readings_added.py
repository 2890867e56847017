"""Three answers cost three times as much on the alpha scale.

points:
    readings_on_paper: 0
"""

# %% readings_by_hand
def readings_by_hand():
    p, q = [0.5, 0.35, 0.15], [0.2, 0.3, 0.5]
    moment = max(sum(a**2 / b for a, b in zip(p, q)), sum(b**2 / a for a, b in zip(p, q)))
    numbers = [(moment - 1) / 2, math.log(moment), 3 * (moment - 1) / 2, math.log((1 + moment) / 2)]
    return [round(x, 3) for x in numbers]
