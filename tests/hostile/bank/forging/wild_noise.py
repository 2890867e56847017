"""A mechanism adds numbers from the smallest to the largest floats, and rarely NaN or infinity, in
the hope that the grader's test of the noise distribution crashes or passes.

It deserves at most:
    mechanism_law: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace gaussian_mechanism_rdp
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    wild = [1e308, -1e308, 5e-324, 0.0, 1e300, -5e-324, 1.0]
    if rng.random() < 1e-4:
        wild += [math.nan, math.inf, -math.inf]
    return [x + wild[int(rng.integers(len(wild)))] for x in vector]
