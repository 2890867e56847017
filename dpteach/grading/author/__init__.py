"""What the author of an assignment writes, and what is made of it.

The words of a check stand in `kinds`. `source` is the text around them, `sections` which of it is
optional (`short` in assignments of the old form), `minutes` how long it takes, `passages` what all
assignments say in the same words, `parameters` what differs from student to student, `data` the
files that belong to it, `references` what it sends to, `scheme` how a written answer is marked,
`mutants` the bank of wrong and right answers; `new` begins all of it (``dpteach new``). `parts`
makes data of a check, `proof` proves that checks are checks, `notebook` makes the notebook, `build`
(``dpteach assignments``) all of it for nbgrader; `making` draws an exam, `personal` what differs in
that of a student; `handing_out` (``dpteach versions``) gives each student theirs, and `releasing`
does so when nbgrader releases it.

May import `core`, `kinds`, `course`, `submission` and `student`.
"""
