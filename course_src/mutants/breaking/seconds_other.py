"""The other count.

points:
    seconds_read: 0
"""

# %% ada_by_stopwatch
def ada_by_stopwatch(answers, others):
    more = math.exp(-1 / 2)
    again = (1 - more) / 2  # minus zero, which takes 2 milliseconds
    late = [0.7, 0.2, 0.1]

    def chance(answer, milliseconds, count):
        size = abs(answer - count)
        rest = milliseconds - size - 2
        tries = sum(
            late[rest - 2 * k] * again**k
            for k in range(rest // 2 + 1)
            if rest - 2 * k <= 2
        )
        return more**size * tries

    one, zero = (
        math.prod(chance(*pair, others + bit) for pair in answers)
        for bit in (1, 0)
    )
    return int(one < zero)
