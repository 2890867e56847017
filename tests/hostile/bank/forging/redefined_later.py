"""A function is wrong above its check, and a last cell replaces it by a right one.

points:
    touching: 0
    catastrophe: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0

# %% delta_floor
def delta_floor(p, q):
    return 0.5

# %% + last
def touching_point(sigma, order, delta):
    return -2 * sigma**2 * math.log(delta) / (order - 1) ** 2
def delta_floor(p, q):
    return math.fsum(a for a, b in zip(p, q) if b == 0)
print("attack", "ran")
