"""Correct functions print their arguments in every way that Python and IPython have, in the hope
that those of hidden cases reach the student's feedback page.

It deserves at most:
    every item: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _wrap.py, then this
import os, sys, warnings, logging
from IPython.display import display, HTML

seen = set()

def tell(args):
    text = "LEAK " + repr(args)
    if text in seen:
        return
    seen.add(text)
    print(text)
    print(text, file=sys.stderr)
    warnings.warn(text)
    logging.warning(text)
    for fd in (1, 2):
        try:
            os.write(fd, text.encode() + b"\n")
        except OSError:
            pass
    display(HTML(text))
    sys.__stdout__.write(text)
print("attack", "ran")

# %% insert a cell after every solution cell
def make(name, function):
    def leaking(*args, **kwargs):
        tell(args)
        return function(*args, **kwargs)
    return leaking
wrap(make)
