"""The lowest total is taken for the noise.

points:
    stays_read: 1.5
"""

# %% read_stays
def read_stays(answers, others):
    nights = np.array([3, 1, 6, 2, 5, 4])
    rest = np.subtract(answers, others)
    return (rest - rest.min() > nights / 2).astype(int).tolist()
