"""nbgrader's *Release*, which puts each student's token where only that student can read it.

In ``nbgrader_config.py``::

    c.ExchangeFactory.release_assignment = "dpteach.grading.author.releasing.PersonalRelease"

The owner of a file can give one account the right to read it (an access control list), so this
needs no root. It does need students with accounts of their own, named as their ids, on the machine
where the assignment is released. Other students get the file with their token by hand.
"""

from __future__ import annotations

import os
import pwd
import struct
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseAssignment

from dpteach.grading.core.versions import TOKENS, VERSIONS
from dpteach.grading.course.store import write_atomically
from dpteach.grading.course.versions import Versions, all_recorded


class PersonalRelease(ExchangeReleaseAssignment):  # type: ignore[misc]
    """``nbgrader release_assignment``, with the tokens of students where there are versions."""

    def copy_files(self) -> None:
        """Copies the release, and writes the tokens."""
        super().copy_files()
        if not (Path(self.src_path) / VERSIONS).is_file():
            return
        keeper = Versions(self.coursedir.root, self.coursedir.assignment_id)
        folder, left = Path(self.course_path) / TOKENS, []
        self.ensure_directory(str(folder), 0o711)
        for student in all_recorded(keeper.store):
            try:
                for_one(folder / student, keeper.token(student), pwd.getpwnam(student).pw_uid)
            except (KeyError, OSError):
                left.append(student)
        if left:
            self.log.warning(
                "Only by hand get their token, the file that `dpteach versions` writes: %s",
                ", ".join(left),
            )


def for_one(file: Path, token: str, uid: int) -> None:
    """Write a token that only the account `uid` can read, and the owner.

    Raises
    ------
    OSError
        If it cannot be written, or the file system has no access control lists.
    """
    write_atomically(file, f"{token}\n".encode())  # for the owner alone
    none = 0xFFFFFFFF
    # owner, the account, group, mask, others: each with its kind, its rights, and whose they are
    rights = (1, 6, none), (2, 4, uid), (4, 0, none), (16, 4, none), (32, 0, none)
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *one) for one in rights)
    try:
        os.setxattr(file, "system.posix_acl_access", acl)
    except OSError:
        file.unlink()
        raise
