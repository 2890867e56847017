"""The judge: questions for the kernel, verdicts and points. No code of a student runs here.

`questions` says what the kernel is asked and for how long; `judge` computes the `verdict`, with a
message for the student; `credit` computes all points. Rules that hold for one kind of item are in
`kinds`.

May import `core` and `kinds`.
"""
