"""Code that runs inside the sandbox, where dpteach has only `plain` and `observe`."""
