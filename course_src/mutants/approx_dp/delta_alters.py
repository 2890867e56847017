"""Adds pairs to its argument.

points:
    delta_of_table: 0
"""

# %% delta_needed
def delta_needed(laws, neighbours, epsilon):
    neighbours += [[j, i] for i, j in neighbours]

    def one_way(p, q):
        return math.fsum(a if b == 0 else a - math.exp(epsilon) * b for a, b in zip(p, q)
                         if a > 0 and (b == 0 or math.log(a / b) > epsilon))

    return max(one_way(laws[i], laws[j]) for i, j in neighbours)
