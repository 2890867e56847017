"""The noise of a design protects one count of the table.

points:
    counts_design: 0
"""

# %% design_for_counts
def design_for_counts(k, epsilon, delta):
    return {"mechanism": "Laplace", "scale": 1 / epsilon}
