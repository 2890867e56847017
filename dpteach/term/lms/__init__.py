"""Files that learning management systems export and import; their network APIs are not used.

- `table`: tables as text files in any usual encoding and with any usual separator;
- `archive`: downloads of submissions, which are zip files that are not trusted, and copies of all
  files that were read;
- `system`: the base class of systems, and the recognition of students in their files;
- `canvas`, `moodle`, `blackboard`, `plain`: one system each, with the forms of its tables and file
  names; `plain` is for courses without a system. `SYSTEMS` lists all four.
"""

from __future__ import annotations

from typing import Final

from dpteach.term.lms import blackboard, canvas, moodle, plain

#: the systems by their names in the options of commands. If the user does not say which system
#: exported a roster, the first system here whose columns the roster has is used
SYSTEMS: Final = {
    one.name: one for one in (canvas.SYSTEM, blackboard.SYSTEM, moodle.SYSTEM, plain.SYSTEM)
}
