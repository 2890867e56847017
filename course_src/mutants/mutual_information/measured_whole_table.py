"""The first number is carried about the whole table.

points:
    both_measured: 0
"""

# %% alone_and_known
def alone_and_known(law, rows):
    def carried(joint):
        """Of a table of the probabilities of x and y."""
        joint = np.array(joint)
        total = joint.sum()
        if total == 0:
            return 0.0
        product = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True) / total
        seen = joint > 0
        return float(np.sum(joint[seen] * np.log(joint[seen] / product[seen])))

    joint = np.array(law)[:, :, None] * np.array(rows)
    known = sum(carried(joint[:, z]) for z in range(joint.shape[1]))
    return [carried(joint.reshape(-1, joint.shape[2])), known]
