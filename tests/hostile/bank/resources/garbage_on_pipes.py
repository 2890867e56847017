"""A child process keeps the kernel's output pipe open and writes to it forever.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import subprocess
try:
    subprocess.Popen("exec yes HOSTILE_PIPE 1>&2", shell=True, start_new_session=True)
except OSError as error:
    print(error)
print("attack", "ran")

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
