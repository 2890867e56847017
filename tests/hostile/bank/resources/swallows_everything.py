"""A function runs forever and catches every exception, including the one by which the grader ends a
slow call.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
