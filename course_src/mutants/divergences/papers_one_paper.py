"""Only one newspaper is read.

points:
    papers_read: 0
"""

# %% is_in
def is_in(evenings, p, q, papers):
    def chance(law):
        return math.prod(sum(mass * papers[0][y][words[0]] for y, mass in enumerate(law)) for words in evenings)

    return int(chance(p) > chance(q))
