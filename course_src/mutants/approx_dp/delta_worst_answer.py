"""The worst single answer.

points:
    delta_of_table: 0
"""

# %% delta_needed
def delta_needed(laws, neighbours, epsilon):
    worst = 0.0
    for i, j in neighbours:
        for p, q in ((laws[i], laws[j]), (laws[j], laws[i])):
            for a, b in zip(p, q):
                if a > 0 and (b == 0 or math.log(a / b) > epsilon):
                    worst = max(worst, a - (math.exp(epsilon) * b if b else 0.0))
    return worst
