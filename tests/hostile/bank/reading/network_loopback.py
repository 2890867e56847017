"""The submission connects to servers on the loopback device, at a known port and at all open ones.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import socket
for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0"):
    for port in (HOSTILE_PORT, 8786, 8787, 8888, 22, 80, 443, 5432):
        try:
            with socket.create_connection((host, port), timeout=0.3) as link:
                print("READ", "OUTSIDE", host, port)
                link.sendall(b"HOSTILE_TOKEN")
                print(link.recv(100))
        except OSError:
            pass
print("attack", "ran")

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
