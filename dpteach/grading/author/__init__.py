"""What the author of an assignment writes, and what is made of it.

`declare`, `random_checks`, `hand_checks` and `design_checks` are the words of a check, `source` is
the text around them, `mutants` the bank of wrong and right answers. `parts` makes data of a check,
`proof` proves that checks are checks, `notebook` makes the notebook, `build` (``dpteach
assignments``) all of it for nbgrader; `making` draws an exam, `scheme`
reads how a written answer is marked.

May import `core`, `judging`, `course` and `student`.
"""
