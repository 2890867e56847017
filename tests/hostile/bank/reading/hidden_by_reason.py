"""Tells hidden arguments by the way in which the kernel ends: killed, late, or out of memory.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
seen = 0
def touching_point(sigma, order, delta):
    global seen
    seen += 1
    if seen > 2:
        import os, sys
        sys.__stderr__.write(f"LEAK {sigma!r} {order!r} {delta!r}\n")
        os.write(2, f"LEAK {sigma!r} {order!r} {delta!r}\n".encode())
        os._exit(int(order) % 200)
    return 265.0 if order == 60 else 2550.0
