"""What runs inside the sandbox: the only files of `dpteach` there besides `plain` and `observe`."""
