"""Noise on whole numbers has no holes, so delta is taken for 0.

points:
    tail_in_logs: 0
"""

# %% log_delta_on_grid
def log_delta_on_grid(sigma, sensitivity, epsilon):
    return -math.inf
