"""Commands for running a term: rosters, submissions, decisions, grades, backups and privacy.

Every decision of an instructor is one line of the log, ``COURSE/.term/log.jsonl`` (`log`). The
state of the term is computed from the log (`state`). Before each command that reads grades, the
module `project` writes the decisions into the grader's files and nbgrader's gradebook. So the next
command completes the work of a command that was killed.
"""
