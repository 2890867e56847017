"""The total variation distance in place of the mass that only p has.

points:
    catastrophe: 0
"""

# %% delta_floor
def delta_floor(p, q):
    return sum(max(x - y, 0.0) for x, y in zip(p, q))
