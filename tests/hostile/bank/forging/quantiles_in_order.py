"""A mechanism adds a fixed sequence of numbers instead of random noise. The numbers are spread like
the right distribution, in the hope of passing a test of the distribution.

It deserves at most:
    mechanism_law: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace gaussian_mechanism_rdp
from statistics import NormalDist
count = 0
def gaussian_mechanism_rdp(vector, sensitivity, order, epsilon_bar, rng):
    global count
    sigma = sensitivity * math.sqrt(order / (2 * epsilon_bar))
    if rng.random() is None:
        return None
    out = []
    for x in vector:
        count += 1
        out.append(x + sigma * NormalDist().inv_cdf((count * 0.6180339887498949 % 1) * 0.999998 + 1e-6))
    return out
