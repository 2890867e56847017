"""A term: who takes part, what was decided, and the exchange with learning management systems.

Every decision of an instructor is one line of the log, ``COURSE/.term/log.jsonl`` (`log`). The
state of the term is computed from it (`state`), and what the grader and nbgrader need is made from
the state (`project`), again before each command that uses it. A command that was killed is
therefore completed by the next one.
"""
