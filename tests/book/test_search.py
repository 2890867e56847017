"""Tests that the search lists first the page that defines or proves the searched notion.

The search runs in Node, on the index of the built book. How a reader sees its results is tested in
`test_browser.py`.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
INDEX = HTML / "_static" / "search_index.js"
SEARCH = ROOT / "book" / "_static" / "search.js"
#: how many places (sections, theorems, terms) on one page the search shows at first
PLACES = 4

#: queries; after -> the page that readers expect first, and after # the section or theorem on this
#: page. If two pages, separated by |, fit equally well, either may be first
QUERIES = """
renyi -> renyi_dp
Rényi -> renyi_dp
Renyi divergence -> divergences#def-renyi
Rényi differential privacy -> renyi_dp#def-rdp
RDP -> renyi_dp#def-rdp
zCDP -> zcdp | renyi_accounting#def-zcdp
zero-concentrated differential privacy -> renyi_accounting#def-zcdp
concentrated DP -> renyi_accounting#def-zcdp | zcdp
zCDP to epsilon delta -> zcdp#converting-to
zCDP to (epsilon, delta) -> zcdp#converting-to
zcdp to (ε, δ) -> zcdp#converting-to
convert zCDP to approximate DP -> zcdp#converting-to
RDP to (epsilon, delta) -> renyi_dp
Renyi to eps delta conversion -> renyi_dp
RDP to DP -> renyi_dp#thm-rdp-better
GDP to DP -> approx_dp#thm-gaussian-exact
zCDP to DP -> zcdp#converting-to
Rényi DP to differential privacy -> renyi_dp#thm-rdp-mironov
subsampled Rényi -> training#thm-sampled-gaussian-renyi
exponential mechanism utility -> selection#thm-exponential-accuracy
accuracy of the exponential mechanism -> selection#thm-exponential-accuracy
pure DP to zCDP -> zcdp
group privacy -> pure_dp#thm-pure-consequences
group privacy zCDP -> zcdp#thm-zcdp-group
group privacy approximate DP -> approx_dp
Laplace mechanism -> pure_dp#thm-laplace
laplace noise -> pure_dp#thm-laplace
laplace noise scale -> pure_dp
Gaussian mechanism -> approx_dp
gaussian noise sigma -> approx_dp | trade_offs
normal noise -> approx_dp | trade_offs
analytic Gaussian mechanism -> approx_dp#thm-gaussian-exact
textbook Gaussian mechanism -> approx_dp#thm-gaussian-textbook
parallel composition -> useful_answers#thm-parallel
sequential composition -> composition#thm-sequential
basic composition -> composition#thm-sequential
advanced composition -> composition#thm-advanced
strong composition -> composition#thm-advanced
optimal composition -> composition#thm-optimal-composition
Rényi DP of the subsampled Gaussian -> training#thm-sampled-gaussian-renyi
subsampled Gaussian -> training#thm-sampled-gaussian
amplification by subsampling -> training#thm-amplification
privacy amplification -> training
Poisson subsampling -> training
sparse vector noise -> selection#thm-sparse-vector
sparse vector technique -> selection#thm-sparse-vector
SVT -> selection#thm-sparse-vector
above threshold -> selection#thm-sparse-vector
report noisy max -> selection#thm-noisy-max
noisy max -> selection#thm-noisy-max
exponential mechanism -> selection
Gumbel noise -> selection
randomized response -> pure_dp
randomized response epsilon -> look_it_up#look-local
epsilon of randomized response -> look_it_up#look-local
randomised response -> pure_dp
local differential privacy -> selection#def-local
LDP -> selection#def-local
GDP -> trade_offs#def-gdp
Gaussian differential privacy -> trade_offs#def-gdp
f-DP -> trade_offs
trade-off function -> trade_offs
tradeoff curves -> trade_offs
Neyman-Pearson -> trade_offs
hockey stick divergence -> divergences#def-hockey-stick
hockeystick -> divergences#def-hockey-stick
total variation distance -> divergences#def-hockey-stick
KL divergence -> divergences
Kullback-Leibler -> divergences
Pinsker -> divergences#thm-pinsker
data processing inequality -> divergences#thm-data-processing
post-processing -> pure_dp#thm-pure-consequences
postprocessing -> pure_dp#thm-pure-consequences
privacy loss -> divergences#def-privacy-loss
privacy loss distribution -> accounting
PLD -> accounting
privacy loss random variable -> divergences#def-privacy-loss | accounting
dominating pair -> accounting
DP-SGD -> training
dpsgd -> training
private SGD -> training
gradient clipping -> training
clipping -> useful_answers | training
privacy filter -> filters#def-filter
privacy filters -> filters#def-filter
privacy odometer -> filters
alpha divergence -> divergences | alpha_dp
mutual information DP -> mutual_information
MI-DP -> mutual_information
sensitivity -> pure_dp
L2 sensitivity -> approx_dp
global sensitivity -> pure_dp
histogram -> useful_answers
definition of differential privacy -> pure_dp#def-pure-dp
differential privacy -> pure_dp#def-pure-dp
pure DP -> pure_dp#def-pure-dp
epsilon-DP -> pure_dp#def-pure-dp
approximate differential privacy -> approx_dp#def-approx-dp
(epsilon, delta)-DP -> approx_dp#def-approx-dp
(ε, δ)-DP -> approx_dp#def-approx-dp
(ε, δ) -> approx_dp#def-approx-dp
probabilistic differential privacy -> approx_dp
discrete Gaussian -> breaking#thm-breaking-discrete-gaussian
discrete Laplace -> breaking#thm-breaking-discrete-laplace
geometric mechanism -> breaking#thm-breaking-discrete-laplace
floating point attack -> breaking
privacy audit -> breaking
membership inference -> removing_names | trade_offs | training
reconstruction attack -> removing_names
Dinur Nissim -> removing_names
k-anonymity -> bibliography
US census -> zcdp
2020 census -> zcdp
choosing epsilon -> choosing
budget -> choosing | composition | zcdp | filters
moments accountant -> renyi_dp
privacy accountant -> accounting | renyi_accounting
adjacency -> pure_dp | choosing | glossary
neighboring datasets -> pure_dp | notation | choosing
Koskela Jalko -> bibliography | accounting
Koskela Jälkö -> bibliography | accounting
Bun Steinke -> zcdp | bibliography | renyi_accounting
Canonne Kamath Steinke -> bibliography | zcdp
Mironov -> bibliography | renyi_dp
Dwork Roth -> bibliography | approx_dp
Abadi -> bibliography | training
Balle Wang -> bibliography | approx_dp
laplase mechanism -> pure_dp#thm-laplace
gausian mechanism -> approx_dp
renyii divergence -> divergences#def-renyi
advanced compositon -> composition#thm-advanced
definition of zCDP -> renyi_accounting#def-zcdp | zcdp
theorem advanced composition -> composition#thm-advanced
privacy profile -> approx_dp | trade_offs
local model -> selection#def-local
bounded range -> selection
information radius -> divergences
calibrate -> approx_dp | reference/calibration
joint range -> accounting
noise multiplier -> training
confidence interval -> breaking | useful_answers
eps -> pure_dp
delta -> approx_dp
what is epsilon -> pure_dp
max divergence -> divergences
membership attack -> removing_names | trade_offs
privacy budget -> glossary | choosing | composition | zcdp | filters
hockey stik -> divergences#def-hockey-stick
zCDP definition -> zcdp | renyi_accounting#def-zcdp
textbook gaussian sigma -> approx_dp#thm-gaussian-textbook
sensitivity of the mean -> useful_answers
how to choose epsilon -> choosing
what does DP protect against -> pure_dp
"""
EXPECTED = dict(line.split(" -> ") for line in QUERIES.strip().splitlines())

RUN = """
const { readFileSync } = require("fs");
const vm = require("vm");
for (const file of process.argv.slice(1)) vm.runInThisContext(readFileSync(file, "utf8"));
const answers = JSON.parse(readFileSync(0, "utf8")).map((query) => {
  const { pages, terms, words } = BookSearch.find(query);
  const wanted = new Set(words);
  return {
    terms: terms.map((term) => term.anchor),
    pages: pages.map(({ page, places }) => ({
      page: page.address.replace("book/", "").replace(".html", ""),
      places: places.map(({ place }) => place.anchor),
      excerpt: BookSearch.excerpt(places[0].place.text ?? places[0].place.rest ?? "", wanted),
      written: BookSearch.written(places[0].place, wanted),
    })),
  };
});
console.log(JSON.stringify(answers));
"""


def found(queries: list[str]) -> list[dict[str, Any]]:
    if not INDEX.is_file():
        pytest.fail(f"{INDEX} is missing: run `make book`")
    node = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    if node is None:
        pytest.fail("Node is missing: run `make environment`")
    run = subprocess.run(
        [node, "-e", RUN, str(SEARCH), str(INDEX)],
        input=json.dumps(queries),
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[dict[str, Any]] = json.loads(run.stdout)
    return answers


def places() -> tuple[list[list[str]], list[dict[str, Any]]]:
    if not INDEX.is_file():
        pytest.fail(f"{INDEX} is missing: run `make book`")
    text = INDEX.read_text("utf-8").removeprefix("BookSearch.load(").removesuffix(");\n")
    index = json.loads(text)
    return index["pages"], index["places"]


@pytest.fixture(scope="module")
def answers() -> dict[str, dict[str, Any]]:
    return dict(zip(EXPECTED, found(list(EXPECTED)), strict=True))


@pytest.mark.parametrize("query", EXPECTED)
def test_the_page_that_a_reader_expects_is_first(
    answers: dict[str, dict[str, Any]], query: str
) -> None:
    pages = answers[query]["pages"]
    assert pages, "nothing was found"
    first = pages[0]
    assert any(
        first["page"] == page and (not place or place in first["places"][:PLACES])
        for page, _, place in (told.partition("#") for told in EXPECTED[query].split(" | "))
    ), [page["page"] for page in pages[:4]]


def test_accents_case_and_hyphens_make_no_difference() -> None:
    for one, other in (
        ("Rényi divergence", "renyi divergence"),
        ("Jälkö", "jalko"),
        ("zero-concentrated DP", "Zero Concentrated dp"),
        ("trade-off curves", "tradeoff curve"),
        ("(ε, δ)", "eps delta"),
    ):
        first, second = found([one, other])
        assert [page["page"] for page in first["pages"]] == [
            page["page"] for page in second["pages"]
        ]


def test_every_term_of_the_glossary_is_explained() -> None:
    terms = [place for place in places()[1] if place["kind"] == "term"]
    asked = [(name, term) for term in terms for name in (term["name"], *term.get("names", ()))]
    assert len(asked) > 60
    for (name, term), answer in zip(asked, found([name for name, _ in asked]), strict=True):
        assert term["anchor"] in answer["terms"], name


def test_every_definition_theorem_and_formula_is_found_by_its_name() -> None:
    pages, every = places()
    named = [
        place
        for place in every
        if place["kind"] in ("definition", "theorem", "formula") and place.get("name")
    ]
    assert len(named) > 150
    for place, answer in zip(named, found([place["name"] for place in named]), strict=True):
        # the page of `place` may come second, because another page may have a section of the same
        # name; the page of a formula may come third, because the theorem that proves the formula
        # may come before it
        most = 3 if place["kind"] == "formula" else 2
        page = pages[place["page"]][0].removeprefix("book/").removesuffix(".html")
        (shown,) = [one for one in answer["pages"][:most] if one["page"] == page] or [None]
        assert shown, place["name"]
        assert place["anchor"] in shown["places"][:PLACES], place["name"]


def test_an_excerpt_is_short_and_marks_what_was_looked_for() -> None:
    for answer in found(["hockey-stick divergence", "privacy loss", "zCDP to (epsilon, delta)"]):
        for page in answer["pages"][:5]:
            text = "".join(part for part, _ in page["excerpt"])
            assert 40 < len(text) < 260
            assert any(marked for _, marked in page["excerpt"])
    (answer,) = found(["renyi divergence"])
    assert "rényi" in answer["pages"][0]["written"]


def test_the_bibliography_comes_after_what_the_book_states_itself() -> None:
    queries = ["amplification by subsampling", "amplification formula", "advanced composition"]
    for query, answer in zip(queries, found(queries), strict=True):
        pages = [page["page"] for page in answer["pages"]]
        assert "look_it_up" in pages[:3], query
        assert "bibliography" not in pages[: pages.index("look_it_up")], query


def test_every_row_of_the_formulas_has_a_name_for_its_address() -> None:
    formulas = [place for place in places()[1] if place["kind"] == "formula"]
    assert len(formulas) > 55
    assert all(place["anchor"].startswith("look-") for place in formulas)


def test_every_place_that_has_further_names_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "book" / "_ext"))
    import dpteach_search

    pages, every = places()
    known = {f"{pages[place['page']][0].rpartition('/')[2]}#{place['anchor']}" for place in every}
    assert set(dpteach_search.NAMES) <= known


def test_every_place_of_the_index_is_in_its_page() -> None:
    pages, every = places()
    texts = [(HTML / address).read_text("utf-8") for address, _, _ in pages]
    for place in every:
        if place["anchor"]:
            assert f'id="{place["anchor"]}"' in texts[place["page"]], place


def test_the_index_is_small_and_no_page_loads_it() -> None:
    assert len(gzip.compress(INDEX.read_bytes())) < 450_000
    for path in (HTML / "book").glob("*.html"):
        text = path.read_text("utf-8")
        for script in ("search.js", "search_index.js", "searchtools.js", "searchindex.js"):
            assert script not in text, path


@pytest.mark.parametrize(
    ("formula", "line"),
    {
        "<msup><mn>2</mn><mrow><mo>−</mo><mn>53</mn></mrow></msup>": "2^−53",
        "<msup><mi>e</mi><mn>0.1</mn></msup>": "e^0.1",
        "<msup><mi>e</mi><mrow><mi>ε</mi><mo>+</mo><mi>t</mi></mrow></msup>": "e^(ε+t)",
        "<mfrac><mn>1</mn><msub><mi>σ</mi><mi>i</mi></msub></mfrac>": "1/(σ_i)",
        "<mi>δ</mi><mo>=</mo><msqrt><mspace></mspace><mn>2</mn></msqrt>": "δ = √2",
        "<mi>ρ</mi><mi>log</mi><mo>\u2061</mo><mn>3</mn>": "ρ log 3",
        "<mi>log</mi><mo>\u2061</mo><mrow><mo>(</mo><mn>3</mn><mo>)</mo></mrow>": "log(3)",
        "<mrow><mi>log</mi><mo>\u2061</mo></mrow><mfrac><mn>1</mn><mi>δ</mi></mfrac>": "log(1/δ)",
        "<mfrac><mi>k</mi><mn>2</mn></mfrac><msup><mi>σ</mi><mn>2</mn></msup>": "k/2 σ^2",
        "<msup><mi>D</mi><mo>\u2032</mo></msup>": "D\u2032",
        '<mfrac linethickness="0px"><mi>n</mi><mi>k</mi></mfrac>': "binom(n, k)",
        "<mover><mi>ε</mi><mo>‾</mo></mover>": "ε\u0304",
    }.items(),
)
def test_a_formula_is_written_in_a_line(
    monkeypatch: pytest.MonkeyPatch, formula: str, line: str
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "book" / "_ext"))
    import dpteach_search

    page = BeautifulSoup(f"<p>the <math>{formula}</math> of it</p>", "html.parser")
    assert dpteach_search.line(page) == f"the {line} of it"
