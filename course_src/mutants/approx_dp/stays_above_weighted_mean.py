"""Above the mean, in view of her nights.

points:
    stays_read: 0.7
"""

# %% read_stays
def read_stays(answers, others):
    nights = np.array([3, 1, 6, 2, 5, 4])
    rest = np.subtract(answers, others)
    return (rest - rest.mean() > nights / 2 - nights.mean() / 2).astype(int).tolist()
