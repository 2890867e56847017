"""A loop catches every exception, including those that end a call or a cell.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
