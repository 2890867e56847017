"""Cells and functions call exit(), quit() and sys.exit().

points:
    touching: 0
    catastrophe: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import sys
print("attack", "ran")
sys.exit(0)

# %% touching_point
def touching_point(sigma, order, delta):
    exit(0)

# %% delta_floor
def delta_floor(p, q):
    raise KeyboardInterrupt

# %% + after delta_floor
quit()
