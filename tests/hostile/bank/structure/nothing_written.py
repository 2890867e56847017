"""The released notebook is submitted unchanged.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% every
def FUNCTION(*args, **kwargs):
    raise NotImplementedError()
