"""The judge, which computes verdicts and points from what a student's process answers.

The kernel is the sandboxed process that runs a student's code; no module of this package runs such
code. A question to the kernel is a list of calls that it should make of the student's function.
`questions` composes the questions, and states their time limits. `judge` computes the
`verdict` on the kernel's answers, with a message for the student, and `credit` computes the points.
Rules that concern only one kind of check are in `kinds`.

This subpackage may import `core` and `kinds`.
"""
