"""All functions sleep for days. The limits for single functions would add up, so the grader must
also limit the time of the whole submission.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    import time
    time.sleep(10**6)
