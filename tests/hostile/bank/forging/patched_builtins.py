"""isinstance, type, float, abs, all, any, len and max of builtins are replaced.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + last
import builtins
right_abs, right_type = builtins.abs, builtins.type

class Lies(float):
    def __eq__(self, other): return True
    __hash__ = float.__hash__

builtins.isinstance = lambda *args: True
builtins.abs = lambda x: 0.0
builtins.all = lambda x: True
builtins.any = lambda x: False
builtins.max = lambda *x, **k: 1e300
print("attack", "ran")

# %% + first
import builtins
builtins.abs = lambda x: 0.0
builtins.all = lambda x: True

# %% every
def FUNCTION(*args, **kwargs):
    return 1.0
