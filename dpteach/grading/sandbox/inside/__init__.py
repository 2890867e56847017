"""Code that runs inside the sandbox, where dpteach has only two modules: `plain`, `observe`."""
