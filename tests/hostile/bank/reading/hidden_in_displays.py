"""Keeps the display of an earlier cell, and updates it when hidden arguments come.

points:
    every: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _wrap
from IPython.display import display, HTML, Markdown
handles = [display(HTML("a picture"), display_id=f"h{i}") for i in range(3)]
import ipykernel, sys
kernel = get_ipython().kernel
first = kernel.get_parent("shell")

seen = set()

def tell(args):
    text = "LEAK " + repr(args)
    if text in seen:
        return
    seen.add(text)
    for handle in handles:
        handle.update(HTML(text))
    kernel.session.send(kernel.iopub_socket, "stream", {"name": "stdout", "text": text}, parent=first)
    kernel.session.send(kernel.iopub_socket, "update_display_data",
                        {"data": {"text/plain": text}, "metadata": {}, "transient": {"display_id": "h0"}}, parent=first)
print("attack", "ran")

# %% + after each
def make(name, function):
    def leaking(*args, **kwargs):
        tell(args)
        return function(*args, **kwargs)
    return leaking
wrap(make)
