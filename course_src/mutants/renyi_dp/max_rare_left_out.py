"""An outcome that is rare under p is taken for an impossible one.

points:
    max_values: 0
"""

# %% max_divergence
def max_divergence(p, q):
    return max(
        math.inf if q_i == 0 else math.log(p_i / q_i) for p_i, q_i in zip(p, q) if p_i > 1e-100
    )
