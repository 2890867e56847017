"""Only six wards are used.

points:
    stay_guessed: 2.5
"""

# %% guess_stay
def guess_stay(answers, totals, epsilons):
    size = sum(e * abs(y - t) for y, t, e in zip(answers[:6], totals, epsilons))
    chances = {30: 0.4, 60: 0.3, 130: 0.2, 365: 0.1}
    return max(chances, key=lambda b: math.log(chances[b]) - 6 * math.log(b) - size / b)
