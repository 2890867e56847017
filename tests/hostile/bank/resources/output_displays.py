"""Cells display a picture of 100 MB, and a thousand outputs of 100 kB in several formats.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
from IPython.display import display, HTML, Image
for _ in range(1000):
    display({"text/html": "<b>" + "x" * 100_000, "image/png": "A" * 100_000, "text/plain": "x" * 1000}, raw=True)
display(HTML("x" * 100_000_000))
