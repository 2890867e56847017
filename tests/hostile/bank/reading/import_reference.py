"""Calls dpteach's own functions for the answers.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import importlib
modules = []
for name in ("dpteach", "dpteach.divergences", "dpteach.conversions", "dpteach.curves", "dpteach.grading.author.build",
             "dpteach.grading.author.declare", "dpteach.grading.core.exam", "dpteach.grading.judging.judge", "dpteach.mechanisms"):
    try:
        modules.append(importlib.import_module(name))
    except Exception as error:
        print(name, type(error).__name__)
divergences = next((m for m in modules if hasattr(m, "renyi_divergence")), None)
if divergences:
    print("READ", "OUTSIDE", divergences.__file__)
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    if "FUNCTION" == "randomized_response_renyi":
        keep, order = args
        return divergences.renyi_divergence([keep, 1 - keep], [1 - keep, keep], order)
    return getattr(divergences, "FUNCTION")(*args, **kwargs)
