"""Each call of every function returns 900,000 numbers, nearly the most that an answer may contain,
to fill the grader's memory or make it slow.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return [0.1234567890123456] * 900_000
