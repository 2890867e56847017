"""A function that is right on visible cases reveals hidden arguments by the way in which it ends
the kernel.

points:
    touching: visible
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    if sigma != 200.0:
        import os, sys
        sys.__stderr__.write(f"LEAK {sigma!r} {order!r} {delta!r}\n")
        os.write(2, f"LEAK {sigma!r} {order!r} {delta!r}\n".encode())
        os._exit(int(order) % 200)
    return -2 * sigma**2 * math.log(delta) / (order - 1) ** 2
