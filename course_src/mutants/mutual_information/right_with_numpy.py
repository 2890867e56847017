"""Right: arrays and an extrapolated walk."""

# %% capacity_above
def capacity_above(rows, width):
    p = np.asarray(rows, dtype=float)
    log_weights = np.zeros(len(p))
    best = np.inf
    for _ in range(100_000):
        w = np.exp(log_weights - log_weights.max())
        w /= w.sum()
        q = w @ p
        with np.errstate(divide="ignore", invalid="ignore"):
            far = np.nansum(np.where(p > 0, p * np.log(p / q), 0.0), axis=1)
        best = min(best, far.max())
        if best - w @ far <= width:
            break
        log_weights = log_weights + far
    return best

# %% alone_and_known
def alone_and_known(law, rows):
    j = np.einsum("xz,xzy->xzy", np.asarray(law, dtype=float), np.asarray(rows, dtype=float))

    def H(*axes):
        m = j.sum(axis=tuple(i for i in range(3) if i not in axes)).ravel()
        return -np.sum(m[m > 0] * np.log(m[m > 0]))

    return [H(0) + H(2) - H(0, 2), H(0, 1) + H(1, 2) - H(0, 1, 2) - H(1)]

# %% has_trait
def has_trait(answers, law, truths):
    seen = [np.where(np.arange(2) == y, t, 1 - t) for y, t in zip(answers, truths)]
    chances = np.einsum("abc,a,b,c->a", np.array(law), *seen)
    return int(np.argmax(chances))

# %% test_information
def test_information(information):
    rng = np.random.default_rng(11)
    for k in (2, 3, 4, 2, 3, 4):
        for zero_row in (False, True):
            for zero_weight in (False, True):
                w = rng.dirichlet(np.ones(k))
                if zero_weight:
                    w[0] = 0
                w = w / w.sum()
                p = rng.dirichlet(np.ones(3), k)
                if zero_row:
                    p[-1, 1] = 0
                    p[-1] /= p[-1].sum()
                joint = w[:, None] * p
                pair = np.outer(joint.sum(1), joint.sum(0))
                ok = joint > 0
                truth = (joint[ok] * np.log(joint[ok] / pair[ok])).sum()
                found = information(w.tolist(), p.tolist())
                if not abs(found - truth) <= 1e-7:
                    return False
    return True


# %% fresh_desk
def fresh_desk(smokes, drinks, truth, rng):
    toss = rng.random()
    first = smokes if toss < truth else 1 - smokes
    toss = rng.random()
    second = drinks if toss >= 1 - truth else 1 - drinks
    return 2 * first + second
