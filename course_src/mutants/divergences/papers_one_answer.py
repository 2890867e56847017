"""The desk is taken to give one answer for all evenings.

points:
    papers_read: 0.57
"""

# %% is_in
def is_in(evenings, p, q, papers):
    def chance(law):
        return sum(mass * math.prod(paper[y][word] for words in evenings for paper, word in zip(papers, words))
                   for y, mass in enumerate(law))

    return int(chance(p) > chance(q))
