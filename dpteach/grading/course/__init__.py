"""A course on disk and in nbgrader's gradebook: what is kept, and what it says.

`folder` finds the course, its settings and nbgrader's interface to it; `store` keeps one result a
submission; `gradebook` writes results and reads what they come to;
`times` reads when something was handed in, `late` decides what handing in late costs, `handing_in`
says how it is done; `versions` keeps the seed of personal versions and who got which; `misplaced`
names what lies where nobody looks.

May import `core`.
"""
