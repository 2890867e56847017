"""A cell displays a thousand outputs of 200 kB and an HTML text of 100 MB, to fill the grader's
memory or the feedback page.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
from IPython.display import display, HTML, Image
for _ in range(1000):
    display({"text/html": "<b>" + "x" * 100_000, "image/png": "A" * 100_000, "text/plain": "x" * 1000}, raw=True)
display(HTML("x" * 100_000_000))
