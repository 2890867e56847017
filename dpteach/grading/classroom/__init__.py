"""The grading of one submission and of a whole class, which uses all other subpackages.

`session` grades one submission. `lending` determines which of its items are graded again with the
instructor's functions for earlier items, and `shown` makes the graded notebook. `classroom`
(``dpteach grade``) grades all submissions; `workers` grades many at once, on this machine or on a
`cluster`, and `progress` shows how many are finished. `publish` writes notebooks and feedback
pages, and `export` (``dpteach export``) writes a table of the grades. `plugin` makes ``nbgrader
autograde`` grade by the same function, `doors` replaces the functions by which nbgrader itself
opens submitted files, and `_upstream` lists the undocumented functions of nbgrader that are used.

May import `core`, `kinds`, `judging`, `sandbox`, `submission`, `course`, `author` and `pages`.
"""
