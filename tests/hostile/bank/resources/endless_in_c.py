"""Loops run in C and cannot be interrupted: a sum, a power, a regular expression.

points:
    touching: 0
    catastrophe: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    return float(sum(range(10**13)))

# %% delta_floor
def delta_floor(p, q):
    import re
    return bool(re.match(r"(a|a)*b", "a" * 64))
