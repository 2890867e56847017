"""Objects patch the grader in their __del__, __repr__, __str__ and __getattribute__.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import sys

def patch():
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("dpteach"):
            for name in ("reduce", "encode", "close", "shown"):
                if name in vars(module):
                    setattr(module, name, lambda *args, **kwargs: 0.75)

class Trap:
    def __del__(self): patch()
    def __repr__(self): patch(); return "0.75"
    __str__ = __repr__
    def __getattribute__(self, name):
        patch()
        return object.__getattribute__(self, name)
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return Trap()
