"""The submission searches the folders around the notebook for other students' submissions, grades
and feedback, and prints what it finds of the secret that the tests planted.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _search.py, then this
import glob
for pattern in ("../../*/renyi_dp", "../*/", "../../../submitted/*/*", "../../../autograded/*/*",
                "../../../feedback/*/*", "../../../.grading/*/results", "/tmp/*/submitted/*/*"):
    look("students", glob.glob(pattern))
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
