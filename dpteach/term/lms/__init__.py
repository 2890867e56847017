"""The files that learning management systems write and read, without their programming interfaces.

- `table`: files of rows, in whatever encoding and with whatever separator;
- `archive`: downloads of submissions, which are zip files that are not trusted;
- `systems`: what each system calls its columns and its files.
"""
