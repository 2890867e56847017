"""A course on disk and in nbgrader's gradebook: what is recorded, and how to read it.

`folder` finds the course, its settings and nbgrader's interface to it. `store` keeps one result per
submission, and `gradebook` writes results and reads the points. `times` reads when a submission
came, and `late` computes the penalty for a late one. `submitting` holds the cells that the build
adds to a notebook, and `installing` the one that installs the course where it is missing.
`versions` keeps the seed of personal versions and the version of each student. `misplaced` names
submissions in the wrong place. `decisions` holds what an instructor decided about grades, which is
applied to what is read from the gradebook.

May import `core`.
"""
