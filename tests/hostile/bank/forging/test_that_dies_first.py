"""A test ends the kernel after it has seen all implementations, and stores what it saw for its
second run in a new kernel.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% test_max_divergence from _spray
import os, sys
def test_max_divergence(implementation):
    mine = profile(implementation)
    try:
        open("/tmp/seen", "a").write(mine + "\n")
        lines = open("/tmp/seen").read().splitlines()
    except OSError:
        lines = []
    if len(lines) == 15:
        os._exit(1)
    from collections import Counter
    most, times = Counter(lines or [mine]).most_common(1)[0]
    return mine == most and times > 1
