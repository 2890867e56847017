"""The text source of an assignment, and the notebook, checks and exams that are made from it.

The modules about the text source: `source` reads it, and `sections` finds its optional sections.
`parameters`, `data`, `scheme` and `references` read its parameters, data files, marking schemes
and references to the book. `passages` has sentences that all assignments share, and `minutes`
estimates the time that an assignment takes. `mutants` reads the bank of wrong and right answers,
and `new` (``dpteach new``) starts an assignment. The declarations of checks are in `kinds`.

The modules that make files and data from it: `parts` converts the cases of a check and their right
answers to data, and `proof` proves that the check tells right from wrong answers. `notebook` makes
the instructor's notebook, and `build` (``dpteach assignments``) all files for nbgrader. `making`
makes the exam of a class, that is, the data for grading it, and `personal` the exam of one student.
`distributing` (``dpteach versions``) writes the students' versions. When nbgrader releases an
assignment, `releasing` writes the secret token with which each student gets the right version.

This subpackage may import `core`, `kinds`, `course`, `submission` and `student`.
"""
