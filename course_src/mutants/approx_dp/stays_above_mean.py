"""Above the mean.

points:
    stays_read: 0
"""

# %% read_stays
def read_stays(answers, others):
    nights = np.array([4, 2, 7, 3, 6, 5])
    rest = np.subtract(answers, others)
    return (rest > rest.mean()).astype(int).tolist()
