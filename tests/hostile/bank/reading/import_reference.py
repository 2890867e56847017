"""The functions import dpteach and return the answers of its functions, which the assignment asks
students to write. The grader must not offer this package to students' code.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
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

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    if "FUNCTION" == "epsilon_of_pair":
        p, q, delta = args
        return divergences.renyi_divergence(p, q, 20.0) - np.log(delta) / 19
    return getattr(divergences, "FUNCTION")(*args, **kwargs)
