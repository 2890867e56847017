"""Tests of ``dpteach.term``; a package, so that two modules named ``conftest`` do not clash."""
