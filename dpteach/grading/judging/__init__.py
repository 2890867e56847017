"""The judge: what is asked, what is right, what it is worth. Nothing of a student's runs here.

`questions` says what the kernel is asked and for how long; `outcomes` makes harmless what comes
back; `judge` gives the verdict, with a message for the student; `credit` makes points of verdicts.
`laws`, `statistics` and `audits` are the tests of mechanisms, `suspects` the implementations that a
student's own test is held against.

Imports `core`, and the library.
"""
