"""A function that is right on visible cases raises errors with class, message and notes made of
hidden arguments.

points:
    every: visible
    max_tested: full
    kl_on_paper: full
    vector_repaired: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _wrap
print("attack", "ran")

# %% + after each
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
