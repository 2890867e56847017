"""The function `wrap`, for submissions whose correct functions also attack the grader."""

raise SystemExit("made for the sandbox: never run this file")

# %% shared
import functools, types
from dpteach.grading.core import plain

KNOWN = HOSTILE_CHECKS
VISIBLE = {(part["call"], repr(case["args"])) for part in KNOWN.values() for case in part.get("cases", ())}
CALLS = {part["call"] for part in KNOWN.values() if part.get("cases")}
del KNOWN  # the visible cases are no secret, so an attack that searches memory must not find them

def is_visible(name, args):
    """Return whether a case is one of the visible cases, which students know."""
    try:
        return (name, repr(plain.encode(list(args)))) in VISIBLE
    except Exception:
        return False

def wrap(make):
    """Put make(name, function) in the place of each function that has checks."""
    for name in CALLS & set(globals()):
        function = globals()[name]
        if isinstance(function, types.FunctionType) and not hasattr(function, "wrapped"):
            globals()[name] = functools.wraps(function)(make(name, function))
            globals()[name].wrapped = True
