"""Tests of ``dpteach publish``; a package, because other folders have a ``conftest``, too."""
