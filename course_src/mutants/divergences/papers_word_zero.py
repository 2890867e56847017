"""The probability of a 0 is taken for each word.

points:
    papers_read: 0
"""

# %% is_in
def is_in(evenings, p, q, papers):
    def chance(law):
        product = 1.0
        for words in evenings:
            product *= sum(mass * math.prod(paper[y][0] for paper in papers) for y, mass in enumerate(law))
        return product

    return int(chance(p) > chance(q))
