"""Pytest settings that keep pytest from importing files of this folder, such as the attacks."""

collect_ignore_glob = ["*"]
