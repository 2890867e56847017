"""Outputs, answers and errors contain characters that cannot be encoded or that control terminals,
and displays have the wrong types, to make the grader or the feedback page fail.

It deserves at most:
    touching: 0
    catastrophe: 0
    sigma_vector: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
from IPython.display import display
odd = "\ud800\udfff\x00\x08\x1b[2J\u202e\u2028\ufeff\x7f"
for text in (odd, "\x00", "\u202e" * 10):
    try:
        print(text)
    except UnicodeError:
        pass
for bundle in ({"text/plain": ["a", 1, None]}, {"text/html": None}, {"image/png": 5}, {"": ""}, {"application/json": {"a": [None]}}):
    try:
        display(bundle, raw=True)
    except Exception:
        pass
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return odd

# %% replace delta_floor
def delta_floor(p, q):
    raise ValueError(odd)

# %% replace rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    print(odd)
    return type("X\ud800", (), {})()
