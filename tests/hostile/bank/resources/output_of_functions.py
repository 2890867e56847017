"""Two functions print or display at least 100 MB each while the grader waits for their answers.

It deserves at most:
    touching: 0
    catastrophe: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    for _ in range(1000):
        print("x" * 100_000)
    return 1.0

# %% replace delta_floor
def delta_floor(p, q):
    import sys
    get_ipython().display_pub.publish({"text/plain": "x" * 100_000_000})
    sys.__stdout__.write("x" * 100_000_000)
    return 0.5
