"""Three functions return ten million numbers, twenty million numbers in lists, and a string of 100
MB, to fill the grader's memory.

It deserves at most:
    touching: 0
    catastrophe: 0
    sigma_vector: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return np.zeros(10**7)

# %% replace delta_floor
def delta_floor(p, q):
    return [[0.5] * 1000] * 20_000

# %% replace rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    return "9" * 100_000_000
