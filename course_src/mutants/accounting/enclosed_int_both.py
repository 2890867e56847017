"""Both numbers are cut towards 0.

points:
    sum_enclosed: 0
"""

# %% delta_between
def delta_between(losses, masses, mesh, k, epsilon):
    found = []
    for to_whole in (int, int):
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
        charge = -np.expm1(epsilon - sums[beyond])
        infinite = 1.0
        if lost < 1:
            infinite = -math.expm1(k * math.log1p(-lost))
        found.append(infinite + float(law[beyond] @ charge))
    return found
