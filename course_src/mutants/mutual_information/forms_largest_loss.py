"""The largest loss in the place of its mean.

points:
    forms_on_paper: 0
"""

# %% forms_by_hand
def forms_by_hand():
    r, f, b = 0.26, 0.11, 0.26
    mean = (r + 2 * f) / 3
    carried = r * math.log(r / mean) + 2 * f * math.log(f / mean)
    d = r - f
    h = -d * math.log(d) - (1 - d) * math.log(1 - d)
    return [round(x, 5) for x in (
        carried, math.log(r / f), 2 * h + 2 * d * math.log(4))]
