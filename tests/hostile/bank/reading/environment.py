"""The submission prints the environment, the command line and the contents of the working
directory.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import os, sys
for name, value in os.environ.items():
    print(name, "=", value)
print(sys.argv, sys.orig_argv, os.getcwd(), os.getuid(), sys.path)
try:
    print(open("/proc/self/mountinfo").read())
except OSError:
    pass
print("attack", "ran")

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
