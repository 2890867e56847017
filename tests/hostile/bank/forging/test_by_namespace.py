"""The task is to write a test that accepts right implementations of a function and rejects wrong
ones. This test knows no right answers: it keeps the answers of the first implementation, which is
right, in variables of the notebook and of IPython, and rejects implementations that answer
differently.

It deserves at most:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace test_max_divergence: the code of _spray.py, then this
def test_max_divergence(implementation, kept={}):
    mine, shell = profile(implementation), get_ipython()
    first = (kept.get("first") or globals().get("first") or getattr(test_max_divergence, "first", None)
             or shell.user_ns.get("_first") or shell.db.get("first"))
    kept["first"] = globals()["first"] = test_max_divergence.first = shell.user_ns["_first"] = first or mine
    shell.db["first"] = first or mine
    return mine == kept["first"]
