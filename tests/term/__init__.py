"""Tests of the commands of a term; a package, because its ``conftest`` is not the only one."""
