"""The submission searches for other students' folders and feedback, before and after grading.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _search
import glob
for pattern in ("../../*/renyi_dp", "../*/", "../../../submitted/*/*", "../../../autograded/*/*",
                "../../../feedback/*/*", "../../../.grading/*/results", "/tmp/*/submitted/*/*"):
    look("students", glob.glob(pattern))
print("attack", "ran")

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
