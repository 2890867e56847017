"""Each total by itself.

points:
    stays_read: 0
"""

# %% read_stays
def read_stays(answers, others):
    nights = np.array([3, 1, 6, 2, 5, 4])
    rest = np.subtract(answers, others)
    return (rest > nights / 2).astype(int).tolist()
