"""All values of the others count alike.

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
    of_z = joint.sum(axis=(0, 2))
    known = sum(carried(joint[:, z] / m) for z, m in enumerate(of_z) if m > 0) / len(of_z)
    return [carried(joint.sum(axis=1)), known]
