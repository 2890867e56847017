"""A cell starts a program that writes to the kernel's standard error forever and keeps it open
after the kernel's end, to make the grader wait or fill its memory.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import subprocess
try:
    subprocess.Popen("exec yes HOSTILE_PIPE 1>&2", shell=True, start_new_session=True)
except OSError as error:
    print(error)
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
