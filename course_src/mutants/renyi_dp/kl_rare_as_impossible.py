"""An outcome that is rare under q is taken for an impossible one.

points:
    kl_values: 0
"""

# %% kl_divergence
def kl_divergence(p, q):
    total = 0.0
    for p_i, q_i in zip(p, q):
        if p_i > 1e-12:
            if q_i < 1e-12:
                return math.inf
            total += p_i * math.log(p_i / q_i)
    return total
