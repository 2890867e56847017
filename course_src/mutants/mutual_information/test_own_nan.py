"""The mean divergence from the mixture, which is nan where a value of weight 0 alone gives an answer.

points:
    information_tested: 0
"""

# %% test_information
from scipy.special import rel_entr


def test_information(information):
    rng = np.random.default_rng(1)
    for k in range(300):
        values, answers = rng.integers(1, 7), rng.integers(1, 9)
        weights = rng.dirichlet(np.ones(values))
        rows = rng.dirichlet(np.ones(answers), size=values)
        if k % 3 == 1 and answers > 1:
            rows = rows * (rng.random((values, answers)) < 0.6)
            rows[:, 0] += rows.sum(axis=1) == 0
            rows /= rows.sum(axis=1, keepdims=True)
        if k % 5 == 2 and values > 1:
            weights[rng.integers(values)] = 0
            weights /= weights.sum()
        right = weights @ rel_entr(rows, weights @ rows).sum(axis=1)
        assert abs(information(weights.tolist(), rows.tolist()) - right) < 1e-6
