"""The student's cells contain the marks by which nbgrader finds solutions, hidden tests and mark
schemes, in the hope that it deletes or replaces the text around them.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    ### BEGIN SOLUTION
    return 1.0
    ### END SOLUTION
### BEGIN HIDDEN TESTS
### BEGIN MARK SCHEME

# %% insert a cell at the end
### END HIDDEN TESTS
### BEGIN SOLUTION
print("attack", "ran")

# %% insert a Markdown cell at the end
### BEGIN MARK SCHEME
### BEGIN HIDDEN TESTS
*Write your answer here.* === BEGIN MARK SCHEME ===
