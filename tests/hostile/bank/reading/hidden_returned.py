"""Functions that are right in visible cases return the hidden arguments as numbers, strings or
names of classes, in the hope that the feedback page shows the wrong answers.

It deserves at most:
    every item: points of visible cases
    max_tested: all points
    kl_on_paper: all points
    vector_repaired: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _wrap.py, then this
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

# %% insert a cell after every solution cell
def make(name, function):
    def leaking(*args, **kwargs):
        return function(*args, **kwargs) if is_visible(name, args) else told(args)
    return leaking
wrap(make)
