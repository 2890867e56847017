"""The submission makes two hundred thousand empty files in a tree of folders.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
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

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
