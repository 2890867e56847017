"""She is always in.

points:
    papers_read: 0
"""

# %% is_in
def is_in(evenings, p, q, papers):
    return 1
