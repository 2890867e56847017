"""A z that cannot be is divided by 0.

points:
    both_measured: 0
"""

# %% alone_and_known
def alone_and_known(law, rows):
    def carried(joint):
        """Of a table of the probabilities of x and y."""
        joint = np.array(joint)
        total = joint.sum()
        product = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True) / total
        seen = joint > 0
        return float(np.sum(joint[seen] * np.log(joint[seen] / product[seen])))

    joint = np.array(law)[:, :, None] * np.array(rows)
    known = sum(joint[:, z].sum() * carried(joint[:, z] * (1 / float(joint[:, z].sum()))) for z in range(joint.shape[1]))
    return [carried(joint.sum(axis=1)), known]
