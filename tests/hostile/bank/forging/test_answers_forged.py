"""Outcomes of the test are written by hand: half of all implementations are accepted.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before test_max_divergence
import json
from dpteach.grading.core import observe
honest = observe.answer
def answer(text):
    question = json.loads(text)
    count = question.get("question", {}).get("suspects", 0)
    if not count:
        return honest(text)
    for number in range(count):
        for k in range(1, 9):
            try:
                observe.outside({"suspect": number, "args": [[k / 9, 1 - k / 9], [0.5, 0.5]], "kwargs": {}})
            except Exception:
                pass
    return json.dumps({"outcomes": [{"accepts": i % 2 == 0} for i in range(count)], "printed": ""})
observe.answer = answer
print("attack", "ran")
