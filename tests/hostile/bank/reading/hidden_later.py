"""Correct functions store the arguments of hidden cases. Threads, exit handlers, deleted objects
and a last cell print them later, in the hope that the grader no longer discards outputs then.

It deserves at most:
    every item: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _wrap.py, then this
import atexit, sys, threading, time
kept = []
first = present()

def tell():
    text = "LEAK " + repr(kept[-5:])
    print(text)
    forge("stream", {"name": "stdout", "text": text}, first)
    sys.__stderr__.write(text)

def work():
    for _ in range(200):
        time.sleep(0.1)
        tell()

class Last:
    def __del__(self): tell()
last = Last()
atexit.register(tell)
threading.Thread(target=work, daemon=True).start()
print("attack", "ran")

# %% insert a cell after imports: the code of _forge.py, then this
# in the notebook, this cell comes before the one above: each is inserted directly after imports

# %% insert a cell after every solution cell
def make(name, function):
    def leaking(*args, **kwargs):
        if repr(args) not in map(repr, kept[-1:]):
            kept.append(args)
        return function(*args, **kwargs)
    return leaking
wrap(make)

# %% insert a cell at the end
tell()
