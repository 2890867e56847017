"""The threshold is taken as it stands.

points:
    bell_heard: 0.75
"""

# %% guess_ill
def guess_ill(answers, margins, hers):
    def up(t):
        return 0.5 * math.exp(-t / 2) if t > 0 else 1 - 0.5 * math.exp(t / 2)

    logs = [sum(y * math.log(up(-m - h * ill)) + (60 - y) * math.log(1 - up(-m - h * ill))
                for y, m, h in zip(answers, margins, hers)) for ill in (0, 1)]
    return int(logs[1] > logs[0])
