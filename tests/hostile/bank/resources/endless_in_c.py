"""Two functions start computations in C that take almost forever. Python cannot interrupt them, so
the grader must end the process.

It deserves at most:
    touching: 0
    catastrophe: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return float(sum(range(10**13)))

# %% replace delta_floor
def delta_floor(p, q):
    import re
    return bool(re.match(r"(a|a)*b", "a" * 64))
