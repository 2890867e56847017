"""Code that runs inside the sandbox, where only `plain` and `observe` of `dpteach` exist besides."""
