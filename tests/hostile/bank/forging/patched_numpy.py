"""np.isclose, np.allclose, np.testing and np.array_equal are replaced so that they always succeed.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
yes = lambda *args, **kwargs: True
np_ = __import__("numpy")
for name in ("isclose", "allclose", "array_equal", "array_equiv", "all", "any"):
    setattr(np_, name, yes)
np_.isclose = yes
np_.testing.assert_allclose = np_.testing.assert_array_equal = lambda *a, **k: None
np_.max = np_.abs = lambda *a, **k: 0.0
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return 1.0
