"""The submission replaces the modules of dpteach in memory by modules whose functions all do
nothing, so that no `check` could fail.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
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

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return None
