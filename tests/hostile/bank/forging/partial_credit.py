"""The submission replaces `check` by a function that returns 2.0, so that each check cell shows
this number. If a check cell shows a number, stock nbgrader takes it as the
cell's points.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
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

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return 2.0
