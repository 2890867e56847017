"""Cells that are not Python: prose, a wrong indent, a lone bracket, a NUL byte, tabs.

points:
    kl_values: 0
    touching: 0
    catastrophe: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% kl_divergence
I did not have the time for this one, sorry.

# %% touching_point
def touching_point(sigma, order, delta):
return (

# %% delta_floor
def delta_floor(p, q):
	if p:
        return 1
