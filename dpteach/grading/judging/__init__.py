"""The judge: what is asked, what is right, what it is worth. Nothing of a student's runs here.

`questions` says what the kernel is asked and for how long; `judge` gives the `verdict`, with a
message for the student; `credit` decides all points. What is particular to a kind of item stands in
`kinds`.

May import `core` and `kinds`.
"""
