"""The submission reads every file of the file system except libraries, and prints what it finds of
the secret that the tests planted.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _search.py, then this
look("everything", ["/"])
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
