"""A test stores answers in files: in its folder, below its home, and beside a module.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% test_max_divergence from _spray
import glob, os
PLACES = ("first", "/tmp/first", os.path.expanduser("~/.ipython/first"), "/dev/shm/first", "data/first")
def test_max_divergence(implementation):
    mine, found = profile(implementation), None
    for place in PLACES:
        try:
            found = found or open(place).read()
        except OSError:
            pass
    for place in PLACES:
        try:
            open(place, "x").write(mine)
        except OSError:
            pass
    return mine == (found or mine)
