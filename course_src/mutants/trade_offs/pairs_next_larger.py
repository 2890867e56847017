"""The pair of the next larger ε alone.

points:
    pairs_together: 0
"""

# %% delta_from_pairs
def delta_from_pairs(pairs, epsilon):
    def alone(pair):
        e, d = pair
        if epsilon >= e:
            return d
        return 1 - (1 - d) * (1 + math.exp(epsilon)) / (1 + math.exp(e))

    above = [pair for pair in sorted(pairs) if pair[0] >= epsilon]
    return alone(above[0]) if above else max(pairs)[1]
