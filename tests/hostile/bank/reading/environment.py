"""The submission prints the environment variables, the command line, the search path and the
mounted file systems, in the hope of finding secrets of the grader.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
import os, sys
for name, value in os.environ.items():
    print(name, "=", value)
print(sys.argv, sys.orig_argv, os.getcwd(), os.getuid(), sys.path)
try:
    print(open("/proc/self/mountinfo").read())
except OSError:
    pass
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
