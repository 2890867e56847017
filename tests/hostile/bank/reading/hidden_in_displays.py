"""The submission updates the display of an earlier cell when hidden arguments arrive.

points:
    every: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _wrap
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

# %% + first from _forge

# %% + after each
def make(name, function):
    def leaking(*args, **kwargs):
        tell(args)
        return function(*args, **kwargs)
    return leaking
wrap(make)
