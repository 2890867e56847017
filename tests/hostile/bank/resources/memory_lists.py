"""A function doubles a list until the memory is full, to take the memory of the grader's machine.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    x = [0.0]
    while True:
        x += x
