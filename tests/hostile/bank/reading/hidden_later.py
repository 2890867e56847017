"""The functions store all arguments, and print them later from threads, at exit, in __del__ and in
later cells.

points:
    every: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _wrap
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

# %% + first from _forge

# %% + after each
def make(name, function):
    def leaking(*args, **kwargs):
        if repr(args) not in map(repr, kept[-1:]):
            kept.append(args)
        return function(*args, **kwargs)
    return leaking
wrap(make)

# %% + last
tell()
