"""A function searches the frames of its callers for the check, and returns the expected value.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import sys
from dpteach.grading.core import plain

def wanted(kwargs):
    frame = sys._getframe(1)
    while frame is not None:
        for value in list(frame.f_locals.values()):
            if isinstance(value, dict):
                if "expected" in value:
                    return plain.decode(value["expected"])
                if value.get("raises"):
                    raise ValueError
                if "law" in value:
                    loc = np.asarray(plain.decode(value["law"]["loc"]))
                    return loc + plain.decode(value["law"]["scale"]) * kwargs["rng"].standard_normal(loc.shape)
        frame = frame.f_back

print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return wanted(kwargs)
