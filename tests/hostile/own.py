"""Sends the bank through this grader, and writes down what came of it: ``own.json``.

    python tests/hostile/own.py

The facts are those of ``stock.json``; `tests/test_hostile.py` fails if one of them is true.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from hostile import harness  # noqa: E402
from hostile.reader import read_bank  # noqa: E402

RESULTS = Path(__file__).with_name("own.json")


def main() -> None:
    """Runs everything."""
    bank = read_bank()
    with tempfile.TemporaryDirectory() as folder:
        batch = harness.run_batch(Path(folder), bank)
        ended = batch.report["code"] != 0 or "zzz_honest" not in batch.results
        left = bool(batch.report.get("processes", True))
        found = {}
        for attack in bank:
            result, page = batch.results.get(attack.name), batch.page(attack.name)
            facts = {"points": False, "outside": bool(batch.met), "hidden": False}
            if result is not None:
                facts["points"] = bool(harness.undeserved(attack, batch.exam, result))
                facts["outside"] |= bool(harness.reached(result, page))
                everything = result.to_bytes().decode() + page
                facts["hidden"] = bool(harness.told(everything, batch.secrets))
            # of one batch for all: what is said of it, is said of each
            found[f"{attack.category}/{attack.name}"] = facts | {"ended": ended, "left": left}
    kept = {
        "about": "what dpteach grade made of the bank; written by tests/hostile/own.py",
        "seconds": round(batch.report.get("seconds", 0.0)),
        "submissions": dict(sorted(found.items())),
    }
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
    print(batch.report["said"])
    for name, facts in found.items():
        if any(facts.values()):
            print(name, facts)


if __name__ == "__main__":
    main()
