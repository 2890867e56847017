"""Tests of the county hospital's data: reproducible, and with the properties that attacks need."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from dpteach import hospital
from dpteach.hospital import ADA, Desk, Table, marker_shares, markers, patients, register

TABLE = patients()


def digest(*columns: np.ndarray) -> str:
    text = "\n".join("\t".join(map(str, row)) for row in zip(*columns, strict=True))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_the_county_is_the_same_on_every_machine() -> None:
    assert digest(*(TABLE[name] for name in TABLE)) == "afe466728b38b2c6"
    assert digest(*(register()[name] for name in register())) == "64aafe38467d6bac"
    assert digest(*markers(50)) == "651c27cb0ceab0e0"


def test_patients_are_inhabitants_whom_the_register_knows_if_it_lists_them() -> None:
    voters = {row[0]: row for row in zip(*(register()[n] for n in register()), strict=True)}
    assert len(voters) == len(register())
    assert len(set(TABLE["name"])) == len(TABLE) == 3000
    listed = [i for i, name in enumerate(TABLE["name"]) if name in voters]
    assert 0.6 < len(listed) / len(TABLE) < 0.85
    for i in listed:
        assert (
            tuple(TABLE[n][i] for n in ("name", "sex", "born", "postcode"))
            == voters[TABLE["name"][i]]
        )
    adults = TABLE["born"] <= np.datetime64("2008-01-01")
    assert adults[listed].all()


def test_no_two_inhabitants_have_one_name_and_ada_comes_first() -> None:
    names = hospital._county()["name"]
    assert len(set(names)) == len(names) == 30_000 and names[0] == ADA


def test_columns_hold_what_the_module_says() -> None:
    assert TABLE.columns[:4] == register().columns == ("name", "sex", "born", "postcode")
    assert TABLE.columns[4:] == ("admitted", "days", "ward", "diagnosis", "smoker", "cost")
    assert set(TABLE["sex"]) == {"f", "m"}
    assert len(set(TABLE["postcode"])) == 5
    year = TABLE["admitted"].astype("datetime64[Y]")
    assert (year == np.datetime64("2025")).all() and (
        TABLE["born"] < TABLE["admitted"]
    ).mean() > 0.99
    assert TABLE["days"].min() == 1
    depressed = TABLE["diagnosis"] == "depression"
    assert depressed.sum() == 138 and (TABLE["ward"][depressed] == "psychiatry").all()
    assert depressed[TABLE["name"] == ADA].all() and ADA in register()["name"]
    # some costs must be far larger than the others: only then does it matter whether costs are
    # clipped
    assert TABLE["cost"].max() > 20 * np.median(TABLE["cost"])


def test_nobody_is_a_patient_before_birth() -> None:
    assert (TABLE["born"] <= TABLE["admitted"]).all()


def test_markers_have_their_shares_and_nothing_to_do_with_the_rest() -> None:
    known, shares = markers(2000), marker_shares(2000)
    error = (known.mean(axis=0) - shares) / np.sqrt(shares * (1 - shares) / len(known))
    assert abs(error.mean()) < 5 / np.sqrt(2000) and 0.9 < error.std() < 1.1
    depressed = TABLE["diagnosis"] == "depression"
    gap = known[depressed].mean(axis=0) - known[~depressed].mean(axis=0)
    z = gap / np.sqrt(shares * (1 - shares) * (1 / 138 + 1 / 2862))
    assert abs(z.mean()) < 5 / np.sqrt(2000) and 0.9 < z.std() < 1.1


def test_a_table_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        TABLE["smoker"][0] = True
    ages = np.array([36, 40])
    table = Table({"age": ages})
    ages[0] = 0
    assert table["age"].tolist() == [36, 40]


def test_rows_and_columns_of_a_table() -> None:
    table = Table({"name": ["Ada", "Emil", "Eva"], "age": [36, 40, 41]})
    assert table[table["age"] > 36]["name"].tolist() == ["Emil", "Eva"]
    assert table[[2, 0]]["age"].tolist() == [41, 36]
    assert len(table[:0]) == 0 and len(table[1:]) == 2
    assert list(table.without("age")) == ["name"]
    with pytest.raises(KeyError, match="height"):
        table.without("height")
    with pytest.raises(TypeError, match="rows are selected"):
        table[0]
    with pytest.raises(ValueError, match="equally long"):
        Table({"name": ["Ada"], "age": [1, 2]})
    with pytest.raises(ValueError, match="one dimension"):
        Table({"age": [[1, 2]]})


def test_a_table_shows_itself_and_escapes_what_it_holds() -> None:
    table = Table({"<b>": ["<script>"] * 7})
    assert repr(table).endswith("7 rows, the first 5 shown")
    shown = table._repr_html_()
    assert "<script>" not in shown and "&lt;script&gt;" in shown and 'scope="col"' in shown
    assert shown.count("<tr>") == 6


@pytest.mark.parametrize(
    ("size", "said"), [(0, "0 rows"), (1, "1 row"), (5, "5 rows"), (6, "6 rows, the first 5 shown")]
)
def test_a_table_says_how_much_of_it_is_not_shown(size: int, said: str) -> None:
    table = Table({"age": np.arange(size)})
    assert repr(table).splitlines()[-1] == said
    assert f"<caption>{said}</caption>" in table._repr_html_()


def test_a_desk_keeps_its_rules() -> None:
    smokers = TABLE["smoker"]
    desk = Desk(TABLE, fewest=10)
    assert desk.count(smokers) == smokers.sum()
    nine, ten = np.zeros(3000, bool), np.zeros(3000, bool)
    nine[:9] = ten[:10] = True
    assert desk.count(nine) is None and desk.count(ten) == 10
    assert desk.asked == 3
    noisy = Desk(TABLE, noise=5.0, rng=np.random.default_rng(1))
    answers = np.array([noisy.count(smokers) for _ in range(2000)])
    assert abs(answers.mean() - smokers.sum()) < 5 * 5 / np.sqrt(2000)
    assert 4.6 < answers.std() < 5.4
    with pytest.raises(TypeError, match="rng must be given"):
        Desk(TABLE, noise=1.0)
    with pytest.raises(ValueError, match="shape"):
        desk.count(smokers[:5])
    with pytest.raises(TypeError, match="array of bools"):
        desk.count(smokers.astype(int))


def test_streams_for_unlike_purposes_are_unlike() -> None:
    one, other = hospital._stream("county").random(5), hospital._stream("register").random(5)
    assert not np.any(one == other)
