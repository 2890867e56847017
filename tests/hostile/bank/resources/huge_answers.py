"""The functions return a hundred million numbers, and strings of a hundred megabytes.

points:
    touching: 0
    catastrophe: 0
    sigma_vector: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    return np.zeros(10**7)

# %% delta_floor
def delta_floor(p, q):
    return [[0.5] * 1000] * 20_000

# %% rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    return "9" * 100_000_000
