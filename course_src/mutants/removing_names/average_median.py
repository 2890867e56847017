"""The median.

points:
    averaged_well: 0
"""

# %% true_count
def true_count(answers, sigmas):
    return round(float(np.median(answers)))
