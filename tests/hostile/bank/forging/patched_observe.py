"""The submission replaces the grader's functions that call students' functions. The new ones return
the right answers or right noise if they find these in the grader's question.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
import sys
from dpteach.grading.core import observe, plain

def outcome(case):
    if "expected" in case:
        return {"value": plain.decode(case["expected"])}
    if case.get("raises"):
        return {"raises": "ValueError", "kinds": ["ValueError", "Exception"], "message": ""}
    if "law" in case:
        loc = np.asarray(plain.decode(case["law"]["loc"]), dtype=float)
        rng, values = np.random.default_rng(0), []
        for _ in range(case["calls"]):
            values.append((loc + plain.decode(case["law"]["scale"]) * rng.standard_normal(loc.shape)).tolist())
        return {"values": values, "again": values[0], "touched": False}
    return {"value": 0.75}

def fake(function, declaration):
    return [outcome(case) for case in declaration["cases"]], ""

observe.observe = fake
for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith("dpteach") and hasattr(module, "observe"):
        if callable(module.observe):
            module.observe = fake
plain.reduce = lambda value: 0.75
print("attack", "ran")

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return 0.75
