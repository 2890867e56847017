"""All tables are compared with each other.

points:
    change_searched: 0
"""

# %% searched_sensitivity
import itertools


def searched_sensitivity(name, values, most, replaced):
    tables = [list(t) for n in range(most + 1) for t in itertools.product(values, repeat=n)]
    answers = np.array([np.atleast_1d(QUESTIONS[name](table)) for table in tables], dtype=float)
    return float(np.abs(answers[:, None] - answers).sum(axis=2).max())
