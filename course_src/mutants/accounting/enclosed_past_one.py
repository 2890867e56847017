"""Convolved well, and then a tiny delta is added to 1 and lost.

points:
    sum_enclosed: 0
"""

# %% delta_between
def delta_between(losses, masses, mesh, k, epsilon):
    found = []
    for to_whole in (math.floor, math.ceil):
        one = np.zeros(41)
        lost = 0.0
        for loss, mass in zip(losses, masses):
            if loss == math.inf:
                lost += mass
            else:
                one[to_whole(loss / mesh) + 20] += mass
        law = np.ones(1)
        for _ in range(k):
            law = np.convolve(law, one)
        sums = mesh * (np.arange(len(law)) - 20 * k)
        beyond = sums > epsilon
        charge = 1 - np.exp(epsilon - sums[beyond])
        found.append(float(law[beyond] @ charge) + 1 - (1 - lost) ** k)
    return found
