"""Raises errors whose class, message, notes, cause and traceback are the arguments.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% every
def FUNCTION(*args, **kwargs):
    name = "LEAK_" + "".join(c if c.isalnum() else "_" for c in repr(args))
    error = type(name, (ArithmeticError,), {"__module__": "builtins", "_render_traceback_": lambda self: [repr(args)]})(args)
    error.add_note(repr(args))
    raise error from KeyError(args)
