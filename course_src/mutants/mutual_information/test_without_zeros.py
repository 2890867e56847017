"""No zeros are tried.

points:
    information_tested: 2.3
"""

# %% test_information
def test_information(information):
    rng = np.random.default_rng(1)

    def entropy(law):
        return -sum(x * math.log(x) for x in law if x > 0)

    def expected(weights, rows):
        mixture = [sum(w * row[y] for w, row in zip(weights, rows)) for y in range(len(rows[0]))]
        return entropy(mixture) - sum(w * entropy(row) for w, row in zip(weights, rows))

    def law(size, zeros):
        found = rng.dirichlet(np.full(size, 0.6)) + 0.01
        pass
        return (found / found.sum()).tolist()

    for i in range(60):
        size = 2 + i % 3
        weights = law(size, int(i % 5 == 4))
        rows = [law(4, int(i % 4 == 3)) for _ in weights]
        assert abs(information(weights, rows) - expected(weights, rows)) < 1e-6
