"""What the author of an assignment writes, and what is made of it.

`declare` and `random_checks` are the words of a check, `source` is the text around them, `mutants`
the bank of wrong and right answers. `build` makes nbgrader's notebooks and proves that checks are
checks; `making` draws an exam.

Imports `core`, `judging`, `course` and `student`.
"""
