"""Tests of ``dpteach publish``, in a package because other folders have a ``conftest``, too."""
