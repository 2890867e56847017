"""Each pair by itself, and the best of the results.

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

    return min(alone(pair) for pair in pairs)
