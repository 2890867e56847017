"""Files that learning management systems export and import; their network APIs are not used.

- `table`: tables as text files in any usual encoding and with any usual separator;
- `archive`: downloads of submissions, which are zip files that are not trusted;
- `system`: the base class of systems, and the recognition of students in their files;
- `canvas`, `moodle`, `blackboard`, `plain`: the forms of each system, registered in `registry`;
- `downloads`: copies of all files that were read.
"""
