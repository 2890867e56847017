"""The submission replaces the grader's function `answer`, which reports what the student's
functions returned. The new one returns malformed reports, such as broken JSON and NaN, to make the
grader fail.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
import itertools, json, sys
from dpteach.grading.core import observe
REPLIES = itertools.cycle([
    "", "null", "[]", "7", '"text"', "{", "{}", "NaN", "Infinity", "-Infinity", '{"outcomes": null}',
    '{"outcomes": 5, "printed": 7}', '{"outcomes": [NaN, Infinity, null, 1, "x", [], {}]}',
    '{"outcomes": {"0": {"value": 1}}}', '{"outcomes": [{"value": NaN}], "printed": [1]}',
    '{"outcomes": [{"value": {"float": "inf"}}]}', '{"outcomes": [{"raises": ["ValueError"]}]}',
    '{"outcomes": [{"raises": "ValueError", "kinds": 5, "message": {}}]}',
    '{"outcomes": [{"late": "never"}]}', '{"outcomes": [{"late": NaN}]}', '{"outcomes": [{"late": 1e999}]}',
    '{"outcomes": [{"unplain": {"a": 1}}]}', '{"outcomes": [{"values": 3, "again": 4, "touched": 5}]}',
    '{"outcomes": [{"values": [[1], [1, 2]], "again": [], "touched": null}]}',
    "[" * 100000, '{"outcomes": [' + "[" * 5000 + "]" * 5000 + "]}",
    '{"outcomes": [{"value": ' + "9" * 10000 + "}]}", '{"outcomes": [{"value": 1e400}]}',
    '{"outcomes": [{"value": "\\ud800"}], "printed": "\\udfff\\u0000"}', "\x00", 7, None, b"{}", [1],
])
observe.answer = lambda text, *more: next(REPLIES)
for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith("dpteach") and callable(getattr(module, "answer", None)):
        module.answer = observe.answer
print("attack", "ran")

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return 0.75
