"""She always has it.

points:
    seconds_read: 0
"""

# %% ada_by_stopwatch
def ada_by_stopwatch(answers, others):
    return 1
