"""The submission reads the environment, command line and open files of every process in /proc, in
the hope of finding secrets of the grader.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
import glob, os
seen = set()
for path in glob.glob("/proc/[0-9]*"):
    seen.add(os.path.basename(path))
    for name in ("environ", "cmdline", "maps"):
        try:
            data = open(f"{path}/{name}", "rb").read()
        except OSError:
            continue
        if name != "maps":
            print(path, name, data[:3000])
        if b"gradebook" in data or b"pytest" in data or b"nbgrader" in data:
            print("READ", "OUTSIDE", path, name)
    for file in glob.glob(f"{path}/fd/*"):
        try:
            print(file, os.readlink(file))
        except OSError:
            pass
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
