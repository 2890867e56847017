"""All functions sleep for days. The limits for single functions would add up, so the grader must
also limit the time of the whole submission.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    import time
    time.sleep(10**6)
