"""The newspapers are taken for independent.

points:
    papers_read: 0
"""

# %% is_in
def is_in(evenings, p, q, papers):
    def chance(law):
        product = 1.0
        for words in evenings:
            for paper, word in zip(papers, words):
                product *= sum(mass * paper[y][word] for y, mass in enumerate(law))
        return product

    return int(chance(p) > chance(q))
