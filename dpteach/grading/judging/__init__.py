"""The judge: what is asked, what is right, what it is worth. Nothing of a student's runs here.

`questions` says what the kernel is asked and for how long; `outcomes` makes harmless what comes
back; `judge` gives the `verdict`, with a message for the student; `credit` decides all points.
`laws`, `statistics` and `audits` are the tests of mechanisms, `suspects` the implementations that a
student's own test is held against.

May import `core`, and the library.
"""
