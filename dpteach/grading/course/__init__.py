"""A course on disk and in nbgrader's gradebook: settings, records, grades and decisions.

`folder` finds the course, its settings and nbgrader's interface to it. `store` keeps one result per
submission, and `gradebook` writes results and reads the points. `times` reads when a submission
came, and `late` computes the penalty for a late submission. `submitting` holds the cells that the
build adds to a notebook, and `installing` the cell that installs the course where it is missing.
`versions` records each student's personal version of an assignment, with numbers of its own.
`misplaced` finds submissions in the wrong folder. `decisions` reads an instructor's decisions about
grades, and applies them to the points in the gradebook.

This subpackage may import `core`.
"""
