"""The judge: what is asked, what is right, what it is worth. Nothing of a student's runs here.

`questions` says what the kernel is asked and for how long; `outcomes` makes harmless what comes
back; `judge` gives the `verdict`, with a message for the student; `credit` decides all points.
`kinds` has what is particular to each kind of check (`kind`), in a module of its own.
`laws` and `statistics` are the tests of mechanisms, `suspects` the implementations that a
student's own test (`own_tests`) is held against; `values` and `comparing` judge numbers,
`by_hand` those that were worked out by hand,
`designs` what a student designed,
`attacks` guesses at secrets,
`witnesses` proofs that a claim is false,
`repairs` what was changed in a broken mechanism.

May import `core`, and the library.
"""
