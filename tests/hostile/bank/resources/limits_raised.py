"""A cell tries to raise the limits on its resources, and then takes 64 GB of memory.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import resource
for name in dir(resource):
    if name.startswith("RLIMIT_"):
        number = getattr(resource, name)
        for limit in ((resource.RLIM_INFINITY,) * 2, (resource.getrlimit(number)[1],) * 2):
            try:
                resource.setrlimit(number, limit)
                break
            except (OSError, ValueError):
                pass
keep = []
for _ in range(64):
    keep.append(np.ones(2**27))
