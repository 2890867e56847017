"""The stopwatch is not used.

points:
    seconds_read: 0
"""

# %% ada_by_stopwatch
def ada_by_stopwatch(answers, others):
    return int(sum(abs(y - others) - abs(y - others - 1) for y, _ in answers) > 0)
