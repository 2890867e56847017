"""The size that is nearest to the mean time.

points:
    seconds_read: 0.3
"""

# %% ada_by_stopwatch
def ada_by_stopwatch(answers, others):
    one, zero = (sum(abs(t - abs(y - others - bit) - 2.6) for y, t in answers) for bit in (1, 0))
    return int(one < zero)
