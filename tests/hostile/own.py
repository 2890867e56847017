"""A script that grades all attacks (hostile submissions) with this project's grader and records the
results in ``own.json``.

Usage: ``python tests/hostile/own.py``. For each attack, the script records which forbidden effects
it had, such as undeserved points (`stock.py` lists the effects). The test
`tests/grading/test_hostile.py` fails if any attack had any of them.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from hostile import harness  # noqa: E402
from hostile.reader import Attack, read_bank  # noqa: E402

RESULTS = Path(__file__).with_name("own.json")


def facts(batch: harness.Batch, bank: list[Attack]) -> dict[str, dict[str, bool]]:
    """Return for each attack whether it had each forbidden effect, such as undeserved points."""
    # these two effects concern the whole batch, so all attacks get the same value
    ended = batch.report["code"] != 0 or "zzz_honest" not in batch.results
    left = bool(batch.report.get("processes", True))
    found = {}
    for attack in bank:
        result, page = batch.results.get(attack.name), batch.page(attack.name)
        points, outside, hidden = False, bool(batch.met), False
        if result is not None:
            points = bool(harness.undeserved(attack, batch.exam, result))
            outside = outside or bool(harness.reached(result, page))
            hidden = bool(harness.told(result.to_bytes().decode() + page, batch.secrets))
        found[f"{attack.category}/{attack.name}"] = {
            "points": points,
            "outside": outside,
            "hidden": hidden,
            "ended": ended,
            "left": left,
        }
    return found


def write(batch: harness.Batch, bank: list[Attack]) -> dict[str, dict[str, bool]]:
    """Write the `facts`, the forbidden effects that attacks had, to ``own.json``; return them."""
    found = facts(batch, bank)
    kept = {
        "about": "what dpteach grade made of the bank; written by tests/hostile/own.py",
        "submissions": dict(sorted(found.items())),
    }
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
    return found


def main() -> None:
    """Grade the whole bank of attacks and write the results."""
    bank = read_bank()
    with tempfile.TemporaryDirectory() as folder:
        batch = harness.run_batch(Path(folder), bank)
        for name, found in write(batch, bank).items():
            if any(found.values()):
                print(name, found)
        print(batch.report["said"])


if __name__ == "__main__":
    main()
