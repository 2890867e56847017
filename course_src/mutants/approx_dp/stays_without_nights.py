"""The nights are forgotten: as if each stay were one night.

points:
    stays_read: 0
"""

# %% read_stays
def read_stays(answers, others):
    nights = np.array([4, 2, 7, 3, 6, 5])
    rest = np.subtract(answers, others)
    import itertools

    ways = np.array(list(itertools.product([0, 1], repeat=6)))
    return ways[np.argmin((rest - ways).var(axis=1))].tolist()
