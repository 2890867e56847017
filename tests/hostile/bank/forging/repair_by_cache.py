"""The repair changes nothing relevant; numpy's `default_rng` returns the same generator again for
the same seed.

points:
    vector_repaired: 0
    mechanism_law: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import functools
np.random.default_rng = functools.lru_cache(np.random.default_rng)
import builtins, sys
sys.modules["numpy"].random.default_rng = np.random.default_rng

# %% repaired_vector
def repaired_vector(vector, sigma, rng):
    seed = int(rng.integers(2**30))
    noisy = []
    for value in vector:
        source = np.random.default_rng(seed)
        noisy.append(value + source.normal(0.0, sigma))
    return noisy
