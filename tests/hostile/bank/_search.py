"""Shared code: the function `look`, for submissions that search files for the secret that the tests
planted.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% shared code
import fnmatch, os

LIBRARIES = ("/proc", "/sys", "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/python", "/site", "/bytecode")

def look(what, paths, names=("*",), skip=LIBRARIES):
    """Print the files below `paths` that contain the secret that the tests planted.

    Only files whose names match one of the patterns `names` are read, and folders in `skip` are
    left out. The text `what` is printed with the number of files that were read.
    """
    read = 0
    for top in paths:
        if os.path.abspath(top) in skip:
            continue
        files = [(os.path.dirname(top), [], [os.path.basename(top)])] if os.path.isfile(top) else os.walk(top)
        for folder, below, found in files:
            below[:] = [name for name in below if os.path.abspath(os.path.join(folder, name)) not in skip
                        and name not in ("node_modules", "site-packages", ".git", "_build")]
            for name in found:
                if read > 20000 or not any(fnmatch.fnmatch(name, pattern) for pattern in names):
                    continue
                try:
                    path = os.path.join(folder, name)
                    if not os.path.isfile(path) or os.path.getsize(path) > 5_000_000:
                        continue
                    with open(path, "rb") as file:
                        data = file.read()
                    read += 1
                    at = data.find(b"cana" + b"ry-")
                    if at >= 0:
                        print("READ", "OUTSIDE", path, data[at:at + 40])
                except OSError:
                    pass
    print(what, read, "files")
