"""Tests of what is published; a package, because its ``conftest`` is not the only one."""
