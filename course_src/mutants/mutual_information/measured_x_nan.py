"""For the first number an x that cannot be is divided by 0.

points:
    both_measured: 0
"""

# %% alone_and_known
def alone_and_known(law, rows):
    def carried(weights, table):
        mixture = weights @ table
        ratio = np.where(table > 0, table / np.where(mixture > 0, mixture, 1), 1)
        return float(weights @ (table * np.log(ratio)).sum(axis=1))

    law, rows = np.array(law), np.array(rows)
    px, pz = law.sum(axis=1), law.sum(axis=0)
    with np.errstate(all="ignore"):
        alone = carried(px, (law[:, :, None] * rows).sum(axis=1) / px[:, None])
    known = sum(pz[z] * carried(law[:, z] / pz[z], rows[:, z]) for z in range(len(pz)) if pz[z] > 0)
    return [alone, known]
