"""A design function raises the errors that the grader raises at a timeout or an interrupt.

points:
    counts_design: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% design_for_counts
from dpteach.grading.core import observe
def design_for_counts(k, epsilon, delta):
    for name in ("_LateError", "_EndedError", "TimeoutError"):
        kind = getattr(observe, name, None)
        if kind is not None:
            raise kind("over")
    raise KeyboardInterrupt
