"""A test stores answers in the notebook's variables, in its own attributes and in IPython's shell.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% test_max_divergence from _spray
def test_max_divergence(implementation, kept={}):
    mine, shell = profile(implementation), get_ipython()
    first = (kept.get("first") or globals().get("first") or getattr(test_max_divergence, "first", None)
             or shell.user_ns.get("_first") or shell.db.get("first"))
    kept["first"] = globals()["first"] = test_max_divergence.first = shell.user_ns["_first"] = first or mine
    shell.db["first"] = first or mine
    return mine == kept["first"]
