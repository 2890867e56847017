"""The submission forges the outcomes of a test that rejects every implementation after many calls.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before test_max_divergence
import json
from dpteach.grading.core import observe
honest = observe.observe
def forged(function, question, ask=None):
    if "test" not in question["cases"][0]:
        return honest(function, question)
    for k in range(1, 9):
        try:
            ask({"args": [[k / 9, 1 - k / 9], [0.5, 0.5]], "kwargs": {}})
        except Exception:
            pass
    return [{"accepts": False}], ""
observe.observe = forged
print("attack", "ran")
