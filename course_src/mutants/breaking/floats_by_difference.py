"""The difference is held against the size.

points:
    floats_read: 1.86
"""

# %% count_from_floats
def count_from_floats(answers, scale):
    top = 2**53

    def ways(answer, count):
        middle = round(top * math.exp(-abs(answer - count) / scale))
        found = 0
        for k in range(max(1, middle - 8), min(top, middle + 8) + 1):
            size = -scale * math.log(k / top)
            found += size == abs(answer - count)
        return found

    zero, one = (
        math.prod(ways(answer, count) for answer in answers)
        for count in (0, 1)
    )
    return int(one > zero)
