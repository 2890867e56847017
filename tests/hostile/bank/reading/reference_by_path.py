"""The submission searches the folders from which Python loads modules for the files of dpteach and
of the assignment. Its functions return the answers of the library that it finds.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
import glob, os, sys, sysconfig
found = set()
folders = set(sys.path) | set(sysconfig.get_paths().values()) | {os.path.dirname(p) for p in sys.path}
for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith("dpteach") and getattr(module, "__file__", None):
        folder = os.path.dirname(module.__file__)
        folders |= {folder, os.path.dirname(folder), os.path.dirname(os.path.dirname(folder))}
for folder in list(folders):
    for path in glob.glob(f"{folder}/*.pth") + glob.glob(f"{folder}/__editable__*"):
        try:
            folders |= {line.strip() for line in open(path) if line.startswith("/")}
        except (OSError, UnicodeDecodeError):
            pass
for folder in folders:
    for name in ("dpteach/divergences.py", "divergences.py", "dpteach/grading/judging/judge.py", "judge.py",
                 "declare.py", "course_src/assignments/renyi_dp.md", "book/renyi_dp.md"):
        if folder and os.path.exists(os.path.join(folder, name)):
            found.add(os.path.join(folder, name))
for path in found:
    print("READ", "OUTSIDE", path)
for folder in {os.path.dirname(os.path.dirname(path)) for path in found}:
    sys.path.insert(0, folder)
try:
    for name in [name for name in sys.modules if name.startswith("dpteach")]:
        del sys.modules[name]
    from dpteach import divergences
except Exception as error:
    print(type(error).__name__)
    divergences = None
print("attack", "ran")

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return getattr(divergences, "FUNCTION")(*args, **kwargs)
