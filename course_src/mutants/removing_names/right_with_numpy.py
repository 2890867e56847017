"""Right: vectorised numpy, numpy numbers and arrays returned as they are."""

# %% alone_by_hand
def alone_by_hand():
    return np.array([1.0267, np.exp(-1.0267)])


# %% given_away
def given_away(columns):
    values = np.array([[row[name] for name in columns] + [""] for row in RELEASED])
    group = np.unique(values, axis=0, return_inverse=True)[1].ravel()
    diagnosis = np.unique([row["diagnosis"] for row in RELEASED], return_inverse=True)[1]
    pairs = np.unique(np.stack([group, diagnosis], axis=1), axis=0)
    sure = np.bincount(pairs[:, 0]) == 1
    return np.bincount(group)[sure].sum()


# %% weights_by_hand
def weights_by_hand():
    return np.array([1, 1, -1, 0, 0, 0, 0]) / 2


# %% fill_gaps
def fill_gaps(table):
    values = np.array(table, dtype=float)
    inner = values[:4, :5]
    gaps = np.argwhere(np.isnan(inner))
    rest = np.concatenate(
        [values[:4, 5] - np.nansum(inner, axis=1), values[4, :5] - np.nansum(inner, axis=0)]
    )
    lines = np.zeros((9, len(gaps)))
    lines[gaps[:, 0], np.arange(len(gaps))] = 1
    lines[4 + gaps[:, 1], np.arange(len(gaps))] = 1
    return np.rint(np.linalg.lstsq(lines, rest, rcond=None)[0])


# %% answers_by_hand
def answers_by_hand():
    return np.array([800.0, 7200.0])


# %% guessed_count
def guessed_count(answers, sigmas):
    return np.rint(np.average(answers, weights=1 / np.square(sigmas)))


# %% rebuild
def rebuild(groups, answers):
    # least squares again and again, each answer weighed by one over its last error
    g, a = np.array(groups, dtype=float), np.array(answers, dtype=float)
    weights = np.ones(len(a))
    for _ in range(60):
        x = np.linalg.lstsq(g * weights[:, None], a * weights, rcond=None)[0]
        weights = 1 / np.sqrt(np.maximum(np.abs(g @ x - a), 1e-6))
    return np.rint(x).astype(int)


# %% in_study
def in_study(answers, shares):
    x, counts = np.array(answers, dtype=float)
    p = np.array(shares)
    score = ((x - p) * (counts / 12 - p)).sum()
    return score > (p * (1 - p)).sum() / 24
