"""A test searches the frames of its callers for the other implementations.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% test_max_divergence from _spray
import sys
def test_max_divergence(implementation):
    mine, frame = profile(implementation), sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            if getattr(value, "__name__", "") in ("ask", "request", "asked"):
                return mine == of_most(value)
        frame = frame.f_back
    return False
