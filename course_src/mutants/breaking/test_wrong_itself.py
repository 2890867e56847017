"""It expects that plus zero begins anew.

points:
    samplers_tested: 0
"""

# %% test_noise_of
def test_noise_of(implementation):
    import itertools

    def right(coins):
        place = 0
        while True:
            start, place = place, place + 1
            while coins[place] == 1:
                place += 1
            heads, place = place - start - 1, place + 1
            if heads:
                return [heads if coins[start] else -heads, place]

    lists = [[*first, 1, 0] for first in itertools.product((0, 1), repeat=7)]
    for again in range(6):
        for sign in (0, 1):
            for heads in (0, 1, 2, 9):
                lists.append([0, 0] * again + [sign] + [1] * heads + [0, 1, 0])
    for coins in lists:
        assert list(implementation(list(coins))) == right(coins)
