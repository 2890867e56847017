"""The room of accounting: what many releases together reveal.

Who works here, from the ground up:

- ``lattice``: certified sums of privacy losses; it knows laws and numbers, no mechanism.
- ``optimal``: equal steps of which only (epsilon, delta) is known, without a lattice.
- ``pairs``: the pair of laws that dominates a mechanism or a claim.
- ``routes``: the one registry of ways to an answer, each with its theorem.
- ``accountant``: counts events and asks the routes.
- ``enclosing``: the lattice's laws of one event, as claims.
- ``curves``: formulas for many numbers at once.

They may import the ground, notions, mechanisms, conversions and amplification; each what stands
above it in this list. The doors are `dpteach.accountants`, `dpteach.curves` and
`dpteach.composition`.
"""
