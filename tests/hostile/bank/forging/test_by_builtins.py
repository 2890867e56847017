"""A test stores the answers of each implementation in `builtins` and in a module, and compares them
with the first.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% test_max_divergence from _spray
import builtins, math, sys
def test_max_divergence(implementation):
    mine = profile(implementation)
    seen = sys.modules.setdefault("seen", type(sys)("seen"))
    first = getattr(builtins, "first", None) or getattr(math, "first", None) or getattr(seen, "first", None)
    builtins.first = math.first = seen.first = first or mine
    return mine == builtins.first
