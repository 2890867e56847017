"""Rows are always left out.

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
                near = [table[:i] + table[i + 1:]]
                for other in near:
                    a, b = QUESTIONS[name](table), QUESTIONS[name](other)
                    largest = max(largest, float(np.abs(np.subtract(a, b)).sum()))
    return largest
