"""A test stores answers where forked processes share them: in shared memory, in a pipe and in the
offset of an open file.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import mmap, os
room = mmap.mmap(-1, 4096)
reading, writing = os.pipe()
os.set_blocking(reading, False)
opened = os.open("kept", os.O_CREAT | os.O_RDWR)
# %% test_max_divergence from _spray
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
