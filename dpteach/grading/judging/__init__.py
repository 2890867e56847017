"""The judge: questions to a student's process, verdicts on its answers, and points.

The kernel is the sandboxed process that runs a student's code; no module of this package runs such
code. `questions` writes the questions to the kernel, with their time limits. `judge` computes the
`verdict` on the kernel's answers, with a message for the student, and `credit` computes the points.
Rules that concern only one kind of check are in `kinds`.

May import `core` and `kinds`.
"""
