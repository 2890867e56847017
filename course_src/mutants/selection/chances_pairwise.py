"""The chances against each rival alone are multiplied.

points:
    chances_found: 0
"""

# %% chances_to_win
def chances_to_win(scores, scale, noise):
    def beats(a, b):
        d = (a - b) / scale
        x = abs(d)
        if noise == "gumbel":
            return 1 / (1 + math.exp(-d)) if d > -700 else 0.0
        behind = 0.5 * math.exp(-x) * (1 + x / 2 if noise == "laplace" else 1)
        return 1 - behind if d > 0 else behind

    return [math.prod(beats(s, o) for j, o in enumerate(scores) if j != r)
            for r, s in enumerate(scores)]
