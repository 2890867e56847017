"""A mechanism adds noise of the largest and smallest floats, and sometimes NaN and infinity.

points:
    mechanism_law: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    wild = [1e308, -1e308, 5e-324, 0.0, 1e300, -5e-324, 1.0]
    if rng.random() < 1e-4:
        wild += [math.nan, math.inf, -math.inf]
    return [x + wild[int(rng.integers(len(wild)))] for x in vector]
