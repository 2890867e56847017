"""The submission closes all file descriptors, including the kernel's sockets.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import os
os.closerange(0, 4096)
