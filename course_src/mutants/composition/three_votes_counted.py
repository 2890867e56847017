"""Two false answers of three outvote the truth, whoever gave them.

points:
    three_on_paper: 0
"""

# %% three_by_hand
def three_by_hand():
    false = [1 / 4, 1 / 4, 1 / 13]
    a, b, c = false
    two = a * b * (1 - c) + a * c * (1 - b) + b * c * (1 - a) + a * b * c
    return [108, 0.519, round(two, 3)]
