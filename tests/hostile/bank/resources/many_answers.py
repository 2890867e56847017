"""Every call of every function returns as many numbers as an answer may hold.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% every
def FUNCTION(*args, **kwargs):
    return [0.1234567890123456] * 900_000
