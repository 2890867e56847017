"""A pair in the place of the record.

points:
    study_designed: 0
"""

# %% study
def study():
    return (0.14, 0.016)
