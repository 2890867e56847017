"""A test that asks for the answers of all implementations by number, and accepts what most say.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% test_max_divergence from _forge
from collections import Counter
accepted = None
def answers(number):
    found = []
    for p, q in (([0.75, 0.25], [0.5, 0.5]), ([0.3, 0.7], [0.7, 0.3]), ([0.5, 0.5, 0.0], [0.25, 0.5, 0.25])):
        try:
            found.append(round(forge_line.request({"suspect": number, "args": [p, q], "kwargs": {}})["value"], 6))
        except Exception:
            found.append(None)
    return tuple(found)
def test_max_divergence(implementation):
    mine = tuple(round(implementation(*pair), 6) for pair in (([0.75, 0.25], [0.5, 0.5]), ([0.3, 0.7], [0.7, 0.3]),
                                                               ([0.5, 0.5, 0.0], [0.25, 0.5, 0.25])))
    counts = Counter(answers(number) for number in range(12))
    return mine == counts.most_common(1)[0][0]
