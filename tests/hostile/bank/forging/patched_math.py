"""math.isclose, math.isnan, math.isinf and math.log are replaced.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import math as m
m.isclose = lambda *args, **kwargs: True
m.isinf = lambda x: True
m.isnan = lambda x: False
m.log = lambda *x: 0.0
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return float("inf")
