"""The task is to write a test that accepts right implementations of a function and rejects wrong
ones. The grader runs the implementations outside of the sandbox. This test sends it huge, deeply
nested and malformed arguments, to make it fail or run a command.

It deserves at most:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace test_max_divergence: the code of _forge.py, then this
deep = []
for _ in range(500):
    deep = [deep]
NONSENSE = [
    None, 5, "x", [], {}, {"suspect": True}, {"suspect": -1, "args": [], "kwargs": {}}, {"suspect": 10**30},
    {"suspect": 0, "args": "x", "kwargs": []}, {"suspect": 0, "args": [deep], "kwargs": {}},
    {"suspect": 0, "args": [[0.5] * 9000, [1e-320] * 9000], "kwargs": {}},
    {"suspect": 0, "args": [{"array": [1], "dtype": "S2000000000"}] * 2, "kwargs": {}},
    {"suspect": 0, "args": [{"array": [[1], [1, 2]], "dtype": "object"}] * 2, "kwargs": {}},
    {"suspect": 0, "args": [{"tuple": 7}, {"complex": []}], "kwargs": {"__class__": 1}},
    {"suspect": 0, "args": [{"float": "1" * 100000}, {"float": "nan"}], "kwargs": {}},
    {"suspect": 0, "args": ["__import__('os').system('touch /tmp/HOSTILE_TOKEN')"] * 2, "kwargs": {}},
    {"suspect": 1, "args": [[1e308] * 100, [-1e308] * 100], "kwargs": {"x" * 5000: 1}},
    {"suspect": 0, "args": [], "kwargs": {"self": 1, "number": 2, "function": 3}},
    {"suspect": 0.0, "args": [[0.5], [0.5]], "kwargs": {}}, {"do": "finish", "score": 99},
]
def test_max_divergence(implementation):
    for nonsense in NONSENSE:
        try:
            forge_line.request(nonsense)
        except BaseException:
            pass
    for broken in (b"", b"{", b"[" * 100_000, b"\xff", b"1" * 10_000):
        frame(b"?", broken)
        forge_line.read()
    return False
