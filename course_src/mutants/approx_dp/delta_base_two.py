"""The factor is 2 to the power of epsilon.

points:
    delta_of_table: 0
"""

# %% delta_needed
def delta_needed(laws, neighbours, epsilon):
    def one_way(p, q):
        total = 0.0
        for a, b in zip(p, q):
            if a == 0:
                continue
            if b == 0:
                total += a
            elif math.log(a / b) > epsilon:
                total += a - 2 ** epsilon * b
        return total

    orders = neighbours + [pair[::-1] for pair in neighbours]
    return max(one_way(laws[i], laws[j]) for i, j in orders)
