"""The submission starts as many programs as it can, each in its own session.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import subprocess, sys
started = 0
for _ in range(300):
    try:
        subprocess.Popen(["sleep", "617", ], start_new_session=True)
        started += 1
    except OSError:
        break
print(started)
print("attack", "ran")

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
