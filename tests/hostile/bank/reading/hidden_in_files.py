"""Two correct functions write their arguments to files in many places, partly under names of files
that the grader reads or returns, in the hope that the student gets these files.

It deserves at most:
    touching: all points
    catastrophe: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
import os
def tell(args):
    for folder in (".", "..", "/tmp", os.path.expanduser("~"), "/dev/shm", "/var/tmp"):
        for name in ("HOSTILE_TOKEN", "renyi_dp.ipynb", "renyi_dp.html", "checks.json"):
            try:
                with open(os.path.join(folder, name), "a") as file:
                    file.write("LEAK " + repr(args))
            except OSError:
                pass
tell("visible")
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    tell((sigma, order, delta))
    return -2 * sigma**2 * math.log(delta) / (order - 1) ** 2

# %% replace delta_floor
def delta_floor(p, q):
    tell((p, q))
    return math.fsum(a for a, b in zip(p, q) if b == 0)
