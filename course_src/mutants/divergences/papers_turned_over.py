"""The likelier is taken for the other.

points:
    papers_read: 0
"""

# %% is_in
def is_in(evenings, p, q, papers):
    def chance(law, words):
        return sum(mass * math.prod(paper[y][word] for paper, word in zip(papers, words))
                   for y, mass in enumerate(law))

    return int(math.prod(chance(p, w) for w in evenings) < math.prod(chance(q, w) for w in evenings))
