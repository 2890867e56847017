"""The shell's showtraceback and set_custom_exc hide all errors.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
shell = get_ipython()
shell.showtraceback = lambda *args, **kwargs: None
shell._showtraceback = lambda *args, **kwargs: None
shell.showsyntaxerror = lambda *args, **kwargs: None
shell.set_custom_exc((BaseException,), lambda *args, **kwargs: [])
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return None
