"""Each check cell outputs the number 2 at its end, which nbgrader would take as partial credit.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import sys, types
import dpteach.grading
def check(name, **kwargs):
    return 2.0
dpteach.grading.check = check
try:
    import dpteach.grading.student.runner
    dpteach.grading.student.runner.check = check
except ImportError:
    pass
Out = _oh = {i: 2.0 for i in range(1000)}
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return 2.0
