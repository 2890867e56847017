"""In bits.

points:
    level_found: 0
"""

# %% level_of_desk
def level_of_desk(laws):
    def carried(w, p, q):
        total = 0.0
        for x, y in zip(p, q):
            middle = w * x + (1 - w) * y
            total += w * x * math.log2(x / middle) if x > 0 and w > 0 else 0.0
            total += (1 - w) * y * math.log2(y / middle) if y > 0 and w < 1 else 0.0
        return total

    def capacity(p, q):
        low, high = 0.0, 1.0
        for _ in range(60):  # what is carried is concave in the belief
            one, other = low + (high - low) / 3, high - (high - low) / 3
            if carried(one, p, q) < carried(other, p, q):
                low = one
            else:
                high = other
        return carried((low + high) / 2, p, q)

    tables = range(len(laws))
    digits = [2**i for i in range(len(laws).bit_length() - 1)]
    return max(capacity(laws[t], laws[t | d]) for d in digits for t in tables if not t & d)
