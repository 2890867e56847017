"""All in bits.

points:
    forms_on_paper: 0
"""

# %% forms_by_hand
def forms_by_hand():
    r, f, b = 0.26, 0.11, 0.26
    mean = (r + 2 * f) / 3
    carried = r * math.log2(r / mean) + 2 * f * math.log2(f / mean)
    d = r - f
    h = -d * math.log2(d) - (1 - d) * math.log2(1 - d)
    return [round(x, 5) for x in (
        carried, d * math.log2(r / f), 2 * h + 2 * d * math.log2(4))]
