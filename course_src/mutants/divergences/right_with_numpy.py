"""Right: arrays."""

# %% drawn_loss
def drawn_loss(p, q, rng):
    answers = range(len(p))
    drawn = rng.choice(answers, p=p)
    other = rng.choice(answers, p=q)
    loss = np.log(p[drawn] / q[drawn])
    return round(1000 * loss)


# %% best_bet
def best_bet(p, q, before):
    worth = np.array([before * np.array(p), (1 - before) * np.array(q)])
    return [worth.max(axis=0).sum(), np.flatnonzero(worth[0] > worth[1])]


# %% bent_mean
def bent_mean(corners, slope, p, q):
    places, heights = np.array(corners).T
    p, q = np.array(p), np.array(q)
    u = p[q > 0] / q[q > 0]
    f = np.interp(u, places, heights) + slope * np.maximum(u - places[-1], 0)
    return q[q > 0] @ f + slope * p[q == 0].sum()


# %% alpha_divergence
def alpha_divergence(p, q, order):
    p, q = np.array(p, float), np.array(q, float)
    if order < 0.5:
        p, q, order = q, p, 1 - order
    if order >= 1 and np.any((q == 0) & (p > 0)):
        return math.inf
    both = (p > 0) & (q > 0)
    loss = np.log(p[both] / q[both])
    if order == 1:
        return np.sum(p[both] * loss)
    excess = p[both] @ np.expm1((order - 1) * loss) - p[(q == 0)].sum()
    return excess / (order * (order - 1))


# %% fewest_words
def fewest_words(p, q):
    p, q = np.array(p), np.array(q)
    with np.errstate(divide="ignore", invalid="ignore"):
        angle = np.arctan2(q, p)
    answer, following = np.full(len(p), -1), 0
    possible = (p > 0) | (q > 0)
    for i in range(len(p)):
        if possible[i] and answer[i] < 0:
            answer[possible & (np.abs(angle - angle[i]) < 1e-7)] = following
            following += 1
    return answer


# %% is_in
def is_in(evenings, p, q, papers):
    papers = np.array(papers)
    score = 0.0
    with np.errstate(divide="ignore"):
        for words in evenings:
            seen = np.prod([papers[i, :, word] for i, word in enumerate(words)], axis=0)
            score += np.log(seen @ np.array(p)) - np.log(seen @ np.array(q))
    return int(score > 0)
