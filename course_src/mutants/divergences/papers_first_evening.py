"""Only the first evening is read.

points:
    papers_read: 1.4
"""

# %% is_in
def is_in(evenings, p, q, papers):
    def chance(law, words):
        return sum(mass * math.prod(paper[y][word] for paper, word in zip(papers, words))
                   for y, mass in enumerate(law))

    return int(chance(p, evenings[0]) > chance(q, evenings[0]))
