"""The Euclidean length of the change.

points:
    change_searched: 0
"""

# %% searched_sensitivity
import itertools


def searched_sensitivity(name, values, most, replaced):
    largest = 0.0
    for n in range(1, most + 1):
        for rows in itertools.product(values, repeat=n):
            table = list(rows)
            for i in range(n):
                if replaced:
                    near = [table[:i] + [v] + table[i + 1:] for v in values]
                else:
                    near = [table[:i] + table[i + 1:]]
                for other in near:
                    a, b = QUESTIONS[name](table), QUESTIONS[name](other)
                    largest = max(largest, float(np.linalg.norm(np.atleast_1d(np.subtract(a, b)))))
    return largest
