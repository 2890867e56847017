"""Only the smaller count against the larger.

points:
    moved_priced: 0
"""

# %% delta_of_moved
def delta_of_moved(noise, top, epsilon):
    m = len(noise) // 2
    laws = []
    for count in range(top + 1):
        law = [0.0] * (top + 1)
        for x, probability in zip(range(-m, m + 1), noise):
            law[min(max(count + x, 0), top)] += probability
        laws.append(law)
    least = 0.0
    for one, other in zip(laws, laws[1:]):
        for p, q in ((one, other),):
            over = 0.0
            for a, b in zip(p, q):
                charge = math.exp(epsilon) * b if b > 0 else 0.0
                over += max(0.0, a - charge)
            least = max(least, over)
    return least
