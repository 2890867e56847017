"""Functions return numbers from their arguments, infinities, NaN, and empty or ragged lists.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import itertools
turn = itertools.cycle(range(9))

# %% every
def FUNCTION(*args, **kwargs):
    return [args, list(args), args[0], math.nan, math.inf, [], [[1.0], [1.0, 2.0]], (), -0.0][next(turn)]
