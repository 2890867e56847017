"""She is said to be where she was not.

points:
    stays_read: 0
"""

# %% read_stays
def read_stays(answers, others):
    nights = np.array([4, 2, 7, 3, 6, 5])
    rest = np.subtract(answers, others)
    import itertools

    ways = np.array(list(itertools.product([0, 1], repeat=6)))
    return (1 - ways[np.argmin((rest - ways * nights).var(axis=1))]).tolist()
