"""Everything that is printed is believed.

points:
    claims_broken: 0
"""

# %% mild_witness
def mild_witness(claim, order, c):
    return -1
