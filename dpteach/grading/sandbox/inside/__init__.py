"""Code that runs inside the sandbox, where of `dpteach` only `plain` and `observe` exist."""
