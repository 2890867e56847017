"""Nothing is changed.

points:
    step_repaired: 0
"""

# %% repaired_step
def repaired_step(weights, gradients, clip, sigma, batch, speed, rng):
    total = np.zeros(len(weights))
    for gradient in gradients:
        length = np.linalg.norm(gradient)
        total = total + np.array(gradient) / max(1, length / clip)
    spread = sigma * clip / np.sqrt(len(weights))
    total = total + rng.normal(0, spread, len(weights))
    mean = total / max(batch, len(gradients))
    return np.array(weights) - speed * mean
