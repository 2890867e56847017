"""Above the mean, in view of her nights.

points:
    stays_read: 0.1
"""

# %% read_stays
def read_stays(answers, others):
    nights = np.array([4, 2, 7, 3, 6, 5])
    rest = np.subtract(answers, others)
    return (rest - rest.mean() > nights / 2 - nights.mean() / 2).astype(int).tolist()
