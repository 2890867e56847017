"""A cell makes up to 200,000 empty files, to use up the number of files that a disk can have.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import os
import time
end, made = time.monotonic() + 2, 0
try:
    for i in range(2000):
        if time.monotonic() > end:
            break
        os.makedirs(f"HOSTILE_TOKEN-tree/{i}")
        for j in range(100):
            open(f"HOSTILE_TOKEN-tree/{i}/{j}", "w").close()
            made += 1
except OSError:
    pass
print(made)

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
