"""The functions contain the answers of the visible cases, which students know, and return 0.0 in
all other cases. They deserve only the points of the visible cases.

It deserves at most:
    every item: points of visible cases
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
from dpteach.grading.core import plain
TABLE = {}
# in the next line, the tests insert the visible checks, which students have
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

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return look_up("FUNCTION", args)
