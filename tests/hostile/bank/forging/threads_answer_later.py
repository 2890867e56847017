"""Threads wait for the question and change the answer while it is being written.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import json, sys, threading, time

def work():
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for frame in list(sys._current_frames().values()):
            while frame is not None:
                for name in ("outcomes", "outcome", "value", "values", "result"):
                    found = frame.f_locals.get(name)
                    if type(found) is dict and "value" in found:
                        found["value"] = 0.75
                        found["passed"] = True
                    if type(found) is list and found and type(found[0]) is dict:
                        found[0]["passed"] = True
                frame = frame.f_back
        time.sleep(0.01)

for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return 99.0
