"""Kinds of assignment items: a subpackage for each kind, with its declaration and its judge.

A declaration is the class with which an author describes an item, such as `attack.AttackCheck`. A
judge finds what is wrong with a student's answers to an item.

`registry` lists the kinds, and `kind` has the class `Kind`, of which each kind is an instance. The
kinds share these modules: `declaration` has the base class of all declarations, `require` raises
errors about bad declarations, `failures` describes what is wrong with an answer, `comparing` tells
whether a number is close enough to another number, `outcomes` checks the replies of the sandbox,
which may have any content, and `implementations` calls an author's functions on a student's
arguments.

This subpackage may import `core`, and the library.
"""
