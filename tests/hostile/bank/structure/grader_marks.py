"""nbgrader's own marks, for solutions and hidden tests, in the student's cells and answers.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    ### BEGIN SOLUTION
    return 1.0
    ### END SOLUTION
### BEGIN HIDDEN TESTS
### BEGIN MARK SCHEME

# %% + last
### END HIDDEN TESTS
### BEGIN SOLUTION
print("attack", "ran")

# %% + last [markdown]
### BEGIN MARK SCHEME
### BEGIN HIDDEN TESTS
*Write your answer here.* === BEGIN MARK SCHEME ===
