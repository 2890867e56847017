"""An extension of nbgrader's *Release*, which gives each student a secret token.

A student's token determines the student's personal version of the assignment.

In ``nbgrader_config.py``::

    c.ExchangeFactory.release_assignment = "dpteach.grading.author.releasing.PersonalRelease"

The token is written to a file that only its owner and the student's account can read. The owner
can allow this by an access control list, so the release does not need root's rights. A student
needs an account on the machine where the assignment is released, and the account's name must be the
student's id. Students without such an account get the file with their token from their instructor.
"""

from __future__ import annotations

import os
import pwd
import struct
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseAssignment

from dpteach._language import catalog
from dpteach.grading.core.versions import TOKENS, VERSIONS
from dpteach.grading.course.store import write_atomically
from dpteach.grading.course.versions import Versions, all_recorded

_, _n = catalog("author")


class PersonalRelease(ExchangeReleaseAssignment):  # type: ignore[misc]
    """``nbgrader release_assignment`` that also writes students' tokens for personal versions."""

    def copy_files(self) -> None:
        """Copy the release to the exchange; write each student's token, which selects a version."""
        super().copy_files()
        if not (Path(self.src_path) / VERSIONS).is_file():
            return
        keeper = Versions(self.coursedir.root, self.coursedir.assignment_id)
        folder, left = Path(self.course_path) / TOKENS, []
        self.ensure_directory(str(folder), 0o711)
        for student in all_recorded(keeper.store):
            try:
                write_readable_by(
                    folder / student, keeper.token(student), pwd.getpwnam(student).pw_uid
                )
            except (KeyError, OSError):
                left.append(student)
        if left:
            self.log.warning(
                "%s",
                _(
                    "These students have no account on this machine, or the file system has no "
                    "access control lists, so they cannot fetch the assignment: {students}. Send "
                    "each of them their token, the file that `dpteach versions` writes.",
                    students=", ".join(left),
                ),
            )


def write_readable_by(file: Path, token: str, uid: int) -> None:
    """Write a token into a file that only its owner and the account `uid` can read.

    Raises
    ------
    OSError
        If the file cannot be written, or the file system has no access control lists.
    """
    write_atomically(file, f"{token}\n".encode())
    none = 0xFFFFFFFF
    # Linux requires the access control list in binary form. Each entry is a tag, rights and an id.
    # The entries are for the owner, the account `uid`, the group, the mask and all others
    rights = (1, 6, none), (2, 4, uid), (4, 0, none), (16, 4, none), (32, 0, none)
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *one) for one in rights)
    try:
        os.setxattr(file, "system.posix_acl_access", acl)
    except OSError:
        file.unlink()
        raise
