"""Shared code: the function `wrap`, for submissions whose functions are right and also attack the
grader.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% shared code
import functools, types
from dpteach.grading.core import plain

# in the next line, the tests insert the visible checks, which students have
KNOWN = HOSTILE_CHECKS
VISIBLE = {(part["call"], repr(case["args"])) for part in KNOWN.values() for case in part.get("cases", ())}
CALLS = {part["call"] for part in KNOWN.values() if part.get("cases")}
# students know the visible cases, so a search of memory for hidden cases must not find these
del KNOWN

def is_visible(name, args):
    """Return whether these arguments are a visible case of the function, which students know."""
    try:
        return (name, repr(plain.encode(list(args)))) in VISIBLE
    except Exception:
        return False

def wrap(make):
    """Put `make(name, function)` in place of each function that a check calls, but only once."""
    for name in CALLS & set(globals()):
        function = globals()[name]
        if isinstance(function, types.FunctionType) and not hasattr(function, "wrapped"):
            globals()[name] = functools.wraps(function)(make(name, function))
            globals()[name].wrapped = True
