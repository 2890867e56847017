"""isinstance, abs, all, any, len and max are replaced as soon as hidden cases arrive.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% every
def FUNCTION(*args, **kwargs):
    return 1.0

# %% + last
import builtins
builtins.isinstance = lambda *args: True
builtins.abs = lambda x: 0.0
builtins.all = lambda x: True
builtins.any = lambda x: False
builtins.max = lambda *x, **k: 1e300
builtins.len = lambda x: 1
