"""The lowest total is taken for the noise.

points:
    stays_read: 0.1
"""

# %% read_stays
def read_stays(answers, others):
    nights = np.array([4, 2, 7, 3, 6, 5])
    rest = np.subtract(answers, others)
    return (rest - rest.min() > nights / 2).astype(int).tolist()
