"""The rivals have no noise.

points:
    chances_found: 0
"""

# %% chances_to_win
def chances_to_win(scores, scale, noise):
    def above(t):
        if noise == "gumbel":
            return 1 - math.exp(-math.exp(min(-t, 700)))
        if noise == "exponential":
            return math.exp(-t) if t > 0 else 1.0
        return math.exp(-t) / 2 if t > 0 else 1 - math.exp(t) / 2

    found = []
    for r, s in enumerate(scores):
        rivals = scores[:r] + scores[r + 1:]
        found.append(above((max(rivals) - s) / scale) if rivals else 1.0)
    return [x / sum(found) for x in found]
