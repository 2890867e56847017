"""Functions that are right in visible cases raise errors in hidden cases. The class, message and
notes of the errors contain the hidden arguments, in the hope that the feedback page shows them.

It deserves at most:
    every item: points of visible cases
    max_tested: all points
    kl_on_paper: all points
    vector_repaired: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _wrap.py, then this
print("attack", "ran")

# %% insert a cell after every solution cell
def make(name, function):
    def leaking(*args, **kwargs):
        if is_visible(name, args):
            return function(*args, **kwargs)
        text = "LEAK_" + "".join(c if c.isalnum() else "_" for c in repr(args))
        trace = {"__module__": "builtins", "_render_traceback_": lambda self: [repr(args)]}
        error = type(text, (ArithmeticError,), trace)(args)
        error.add_note(repr(args))
        raise error from KeyError(args)
    return leaking
wrap(make)
