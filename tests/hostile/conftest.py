"""Pytest settings that prevent the import of the attack files in the bank."""

collect_ignore_glob = ["*"]
