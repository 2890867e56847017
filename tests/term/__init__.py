"""Tests of ``dpteach.term``, in a package because other folders have a ``conftest``, too."""
