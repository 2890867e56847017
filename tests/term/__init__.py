"""Tests of ``dpteach.term``; a package, because other folders of tests have a ``conftest``, too."""
