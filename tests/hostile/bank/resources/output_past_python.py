"""A cell and a program that it starts write at least 100 MB each directly to the process's standard
output and error, past the functions by which the grader collects outputs.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import os, subprocess, sys
for _ in range(100):
    os.write(2, b"x" * 1_000_000)
for _ in range(100):
    sys.__stdout__.write("y" * 1_000_000)
try:
    subprocess.run("yes | head -c 100000000", shell=True)
except OSError as error:
    print(error)
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
