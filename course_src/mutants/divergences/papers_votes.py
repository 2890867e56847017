"""Each evening has one vote.

points:
    papers_read: 3.12
"""

# %% is_in
def is_in(evenings, p, q, papers):
    def chance(law, words):
        return sum(mass * math.prod(paper[y][word] for paper, word in zip(papers, words))
                   for y, mass in enumerate(law))

    return int(sum(chance(p, words) > chance(q, words) for words in evenings) >= 2)
