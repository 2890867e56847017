"""The likeliest alone.

points:
    suspects_judged: 0
"""

# %% suspects_weighed
def suspects_weighed(rows, misprint):
    logs, hits = np.zeros(3), np.zeros(3)
    for sigma, order, text in rows:
        pairs = order * (order - 1)
        x = pairs / (2 * sigma**2)
        low, high = printed_range(text)
        digits = len(text.partition("e")[0].replace(".", ""))
        luck = misprint / (9 * 10 ** (digits - 1))
        for i, top in enumerate([math.expm1(x), math.exp(x), math.exp(x - 1)]):
            hit = low <= top / pairs <= high
            hits[i] += hit
            logs[i] += math.log(luck + 1 - misprint if hit else luck)
    return [float(value == logs.max()) for value in logs]
