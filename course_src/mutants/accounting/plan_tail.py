"""The mass of the sums beyond epsilon is taken for delta.

points:
    training_planned: 1
"""

# %% training_plan
def training_plan(largest_rate, steps, epsilon):
    rate = largest_rate

    def delta_of(sigma):
        sums, masses, lost = law_of_training(rate, sigma, steps)
        return lost + masses[sums > epsilon].sum()

    low, high = 0.5, 100.0
    while high > low * 1.0001:
        middle = math.sqrt(low * high)
        if delta_of(middle) <= 1e-5:
            high = middle
        else:
            low = middle
    return {"mechanism": "DP-SGD", "rate": rate, "sigma": 1.001 * high}
