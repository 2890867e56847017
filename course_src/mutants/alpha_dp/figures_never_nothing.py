"""What is taken for the moment is above 1 even where nothing is said.

points:
    figures_on_paper: 0
"""

# %% figures_by_hand
def figures_by_hand():
    a, p, t = 10, 0.75, 1 / 2.0
    moments = [
        p**a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a),
        (a * math.exp((a - 1) * t) + (a - 1) * math.exp(-a * t)) / (2 * a - 1),
        math.exp(a * (a - 1) / (2 * 5**2)),
    ]
    numbers = [(math.log(1 + moment / math.e) + math.log(1e5)) / (a - 1) for moment in moments]
    return [round(x, 3) for x in [*numbers, math.log(p / (1 - p))]]
