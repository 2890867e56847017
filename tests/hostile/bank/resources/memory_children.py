"""Twenty processes each take half of the memory limit.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import os, time
for _ in range(20):
    try:
        pid = os.fork()
    except OSError:
        break
    if pid == 0:
        try:
            x = bytearray(200_000_000)
            for i in range(0, len(x), 4096):
                x[i] = 1
            time.sleep(600)
        finally:
            os._exit(0)
time.sleep(1)
print("attack", "ran")

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
