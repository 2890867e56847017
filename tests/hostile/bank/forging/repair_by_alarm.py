"""The repair changes nothing relevant; a later signal gives the function another body.

points:
    vector_repaired: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import signal

def good(vector, sigma, rng):
    return [value + rng.normal(0.0, sigma) for value in vector]

def swap(*_):
    made = globals().get("repaired_vector")
    if made is not None:
        made.__code__ = good.__code__
signal.signal(signal.SIGVTALRM, swap)
signal.setitimer(signal.ITIMER_VIRTUAL, 0.01, 0.01)

# %% repaired_vector
def repaired_vector(vector, sigma, rng):
    seed = int(rng.integers(2**30))
    noisy = []
    for value in vector:
        source = np.random.default_rng(seed)
        noisy.append(value + source.normal(0.0, sigma))
    return noisy
