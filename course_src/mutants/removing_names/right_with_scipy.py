"""Right: scipy's programs and laws."""

# %% fill_gaps
from scipy.optimize import linprog


def fill_gaps(table):
    gaps = [(r, c) for r in range(4) for c in range(5) if table[r][c] is None]
    rows = [[int(r == i) for r, c in gaps] for i in range(4)]
    rows += [[int(c == j) for r, c in gaps] for j in range(5)]
    rest = [table[i][5] - sum(x or 0 for x in table[i][:5]) for i in range(4)]
    rest += [table[4][j] - sum(table[i][j] or 0 for i in range(4)) for j in range(5)]
    found = linprog([0] * len(gaps), A_eq=rows, b_eq=rest, bounds=(0, 4))
    return [int(round(x)) for x in found.x]


# %% guessed_count
from scipy.stats import norm


def guessed_count(answers, sigmas):
    guess = float(np.median(answers))
    near = np.arange(int(guess) - 6, int(guess) + 8)
    likely = norm.logpdf(np.array(answers)[:, None], near, np.array(sigmas)[:, None]).sum(axis=0)
    return int(near[likely.argmax()])


# %% rebuild
from scipy.optimize import milp, Bounds, LinearConstraint


def rebuild(groups, answers):
    g = np.array(groups, dtype=float)
    m, n = g.shape
    a = np.array(answers, dtype=float)
    limits = [
        LinearConstraint(np.hstack([g, -np.eye(m)]), -np.inf, a),
        LinearConstraint(np.hstack([g, np.eye(m)]), a, np.inf),
    ]
    found = milp(
        np.repeat([0, 1], [n, m]),
        integrality=np.repeat([1, 0], [n, m]),
        bounds=Bounds(0, np.repeat([1, np.inf], [n, m])),
        constraints=limits,
    )
    return [int(round(x)) for x in found.x[:n]]


# %% in_study
from scipy.stats import binom


def in_study(answers, shares):
    # of the other eleven, either those less the person's own markers are counted, or a twelfth is
    x, counts = np.array(answers)
    p = np.array(shares)
    inside = binom.logpmf(counts - x, 11, p)
    outside = binom.logpmf(counts, 12, p)
    return int((inside - outside).sum() > 0)
