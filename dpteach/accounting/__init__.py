"""Accounting: the total privacy cost of many releases.

The modules, from the bottom layer up:

- ``lattice``: certified distributions of sums of privacy losses; independent of mechanisms.
- ``optimal``: optimal composition of equal steps of known (epsilon, delta), without a lattice.
- ``pairs``: the dominating pair of distributions of a mechanism or a guarantee.
- ``routes``: the registry of methods (routes) to bound epsilon or delta, with their theorems.
- ``accountant``: counts events and queries the routes.
- ``enclosing``: lattice bounds on the privacy loss distribution of one event.
- ``curves``: formulas for arrays of parameters.

These modules may import the base modules, notions, mechanisms, conversions, amplification and the
modules above them in this list. The public interfaces are `dpteach.accountants`, `dpteach.curves`
and `dpteach.composition`.
"""
