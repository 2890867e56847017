"""The grading of one submission and of a whole class.

`session` grades one submission. It grades an item again if the item calls a function of an earlier
item and both are wrong; for this, `lending` supplies the instructor's version of that function.
`shown` makes the graded notebook. `classroom` (``dpteach grade``) grades all submissions; `workers`
grades many at once, on this machine or on a `cluster`, and `progress` shows how many are finished.
`publish` writes notebooks and feedback pages, and `export` (``dpteach export``) writes a table of
the grades. `plugin` makes ``nbgrader autograde`` grade by `session`, `doors` replaces the functions
by which nbgrader itself opens submitted files, and `_upstream` lists the undocumented functions of
nbgrader that are used.

This subpackage may import `core`, `kinds`, `judging`, `sandbox`, `submission`, `course`, `author`
and `pages`.
"""
