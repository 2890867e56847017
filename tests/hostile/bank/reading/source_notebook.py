"""The submission searches the folders around the notebook for the instructor's notebook and the
grader's files. Its functions return the right answers of hidden cases that it finds there.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
hidden = {}
import glob, json, os, re
texts = []
for pattern in ("../../source/*/*", "../../../source/*/*", "../source/*/*", "/*/source/renyi_dp/*",
                "../../../.grading/*/*", "../../../.grading/*", "../../../release/*/*"):
    for path in glob.glob(pattern, recursive=True)[:50]:
        try:
            with open(path) as file:
                texts.append(file.read())
        except (OSError, UnicodeDecodeError):
            pass
for text in texts:
    for found in re.finditer(r"hidden=(\{.*?\})\)\\n", text, re.S):
        hidden[len(hidden)] = found[1]
if texts:
    print("READ", "OUTSIDE", len(texts), "files", len(hidden), "hidden parts")
print("attack", "ran")

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    from dpteach.grading.core import plain
    for text in hidden.values():
        part = eval(text.encode().decode("unicode_escape"))
        for case in part["cases"]:
            if part["call"] == "FUNCTION" and case["args"] == plain.encode(list(args)):
                return plain.decode(case["expected"])
    return 0.0
