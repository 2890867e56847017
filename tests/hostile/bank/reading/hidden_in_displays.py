"""Correct functions write the arguments of hidden cases into the outputs of an earlier cell, in the
hope that the student reads them on the feedback page.

It deserves at most:
    every item: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _wrap.py, then this
from IPython.display import display, HTML, Markdown
handles = [display(HTML("a picture"), display_id=f"h{i}") for i in range(3)]
import ipykernel, sys
first = present()

seen = set()

def tell(args):
    text = "LEAK " + repr(args)
    if text in seen:
        return
    seen.add(text)
    for handle in handles:
        handle.update(HTML(text))
    forge("stream", {"name": "stdout", "text": text}, first)
    forge("update_display_data",
          {"data": {"text/plain": text}, "metadata": {}, "transient": {"display_id": "h0"}}, first)
print("attack", "ran")

# %% insert a cell after imports: the code of _forge.py, then this
# in the notebook, this cell comes before the one above: each is inserted directly after imports

# %% insert a cell after every solution cell
def make(name, function):
    def leaking(*args, **kwargs):
        tell(args)
        return function(*args, **kwargs)
    return leaking
wrap(make)
