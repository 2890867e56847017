"""A test searches all objects for the other implementations.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% test_max_divergence from _spray
import gc
def test_max_divergence(implementation):
    mine = profile(implementation)
    for found in gc.get_objects():
        try:
            value = getattr(found, "request", found)
            name = str(getattr(value, "__qualname__", "")).rpartition(".")[2]
        except Exception:
            continue
        if callable(value) and name in ("request", "ask"):
            try:
                return mine == of_most(value)
            except Exception:
                continue
    return False
