"""Three solution cells cannot be read as Python: prose, a wrong indent with an open bracket, and
mixed tabs and spaces. The other cells must still be graded.

It deserves at most:
    kl_values: 0
    touching: 0
    catastrophe: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace kl_divergence
I did not have the time for this one, sorry.

# %% replace touching_point
def touching_point(sigma, order, delta):
return (

# %% replace delta_floor
def delta_floor(p, q):
	if p:
        return 1
