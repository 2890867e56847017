"""Three functions return integers with hundreds to millions of digits, which do not fit into a
float and take long to write as text.

It deserves at most:
    touching: 0
    catastrophe: 0
    sigma_vector: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1 << 50_000_000

# %% replace delta_floor
def delta_floor(p, q):
    return [10**5000, -(10**400)]

# %% replace rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    import sys
    sys.set_int_max_str_digits(0)
    return 10**100_000
