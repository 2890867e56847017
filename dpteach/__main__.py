"""``python -m dpteach``: the commands of the course."""

from dpteach.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
