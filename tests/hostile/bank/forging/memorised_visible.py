"""The functions look up the visible answers in checks.json, and are wrong on all other cases.

points:
    every: visible
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
from dpteach.grading.core import plain
TABLE = {}
KNOWN = HOSTILE_CHECKS

def look_up(name, args):
    for part in KNOWN.values():
        if part.get("call") == name:
            for case in part.get("cases", []):
                if repr(case["args"]) == repr(plain.encode(list(args))):
                    if case.get("raises"):
                        raise ValueError
                    if "expected" in case:
                        return plain.decode(case["expected"])
    return 0.0
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return look_up("FUNCTION", args)
