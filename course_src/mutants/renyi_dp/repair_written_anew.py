"""The right law by code of one's own, where one statement was to be changed.

points:
    vector_repaired: 0
"""

# %% repaired_vector
def repaired_vector(vector, sigma, rng):
    return [value + rng.normal(0.0, sigma) for value in vector]
