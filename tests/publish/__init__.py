"""Tests of ``dpteach publish``; a package, so that two modules named ``conftest`` do not clash."""
