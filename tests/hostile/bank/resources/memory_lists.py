"""Lists that double until memory is full.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    x = [0.0]
    while True:
        x += x
