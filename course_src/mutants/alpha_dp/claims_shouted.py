"""The end of the range, where claims fail by far.

points:
    claims_broken: 0
"""

# %% mild_witness
def mild_witness(claim, order, c):
    ends = {"sum": 1.5, "flat": 1.5, "orders": 1.5, "coordinates": 3, "step": 0.01}
    return ends.get(claim, -1)
