"""All functions raise NotImplementedError, as in the released notebook, so no item may earn points.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    raise NotImplementedError()
