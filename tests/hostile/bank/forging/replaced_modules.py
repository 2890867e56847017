"""sys.modules gets a package dpteach by the student, with a `check` that does nothing.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import sys, types

class Fake(types.ModuleType):
    __path__ = []
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: None

for name in ("dpteach", "dpteach.grading", "dpteach.grading.student.runner", "dpteach.grading.judging.judge"):
    sys.modules[name] = Fake(name)
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return None
