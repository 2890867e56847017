"""The first entry of the law of the sum stands where that of one step stands.

points:
    training_planned: 0
"""

# %% training_plan
def training_plan(largest_rate, steps, epsilon):
    rate, mesh, n = largest_rate, 0.002, 2**16

    def delta_of(sigma):
        first, masses, lost = step_on_lattice(rate, sigma, mesh)
        total = np.fft.irfft(np.fft.rfft(masses, n) ** steps)
        sums = mesh * (first + np.arange(n))
        beyond = sums > epsilon
        return steps * lost + total[beyond] @ -np.expm1(epsilon - sums[beyond])

    low, high = 0.5, 100.0
    while high > low * 1.0001:
        middle = math.sqrt(low * high)
        if delta_of(middle) <= 1e-5:
            high = middle
        else:
            low = middle
    return {"mechanism": "DP-SGD", "rate": rate, "sigma": 1.001 * high}
