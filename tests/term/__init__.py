"""Tests of ``dpteach.term``; a package, because other test folders have a ``conftest``, too."""
