"""The judge: questions to a student's process, verdicts and points. No student's code runs here.

The kernel is the sandboxed process that runs a student's code. `questions` writes the questions to
the kernel and their time limits; `judge` computes the `verdict`, with a message for the student;
`credit` computes all points. Rules for a single kind of check are in `kinds`.

May import `core` and `kinds`.
"""
