"""Two functions are right in visible cases and never return in hidden ones. The grader must end
the hanging calls, and still count the visible cases.

It deserves at most:
    touching: points of visible cases
    catastrophe: points of visible cases
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    while sigma != 200.0:
        pass
    return -2 * sigma**2 * math.log(delta) / (order - 1) ** 2

# %% replace delta_floor
def delta_floor(p, q):
    while p[0] not in (1e-6, 0.75):
        pass
    return math.fsum(a for a, b in zip(p, q) if b == 0)
