"""A function that is right on visible cases returns hidden arguments as numbers, strings or class
names.

points:
    every: visible
    max_tested: full
    kl_on_paper: full
    vector_repaired: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _wrap
import itertools
turn = itertools.count()

def told(args):
    flat = [x for a in args for x in (a if isinstance(a, (list, tuple, np.ndarray)) else [a])]
    ways = [
        lambda: repr(args), lambda: list(args), lambda: flat[0], lambda: {repr(args): 1},
        lambda: type("X" + repr(args), (float,), {})(1.0), lambda: type("Y" + repr(args), (), {})(),
        lambda: complex(*flat[:2]), lambda: np.array([repr(args)]), lambda: sum(map(float, flat)),
        lambda: (lambda: None), lambda: np.array(flat, dtype="complex128"),
    ]
    return ways[next(turn) % len(ways)]()
print("attack", "ran")

# %% + after each
def make(name, function):
    def leaking(*args, **kwargs):
        return function(*args, **kwargs) if is_visible(name, args) else told(args)
    return leaking
wrap(make)
