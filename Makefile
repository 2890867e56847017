# The commands of the project; `make help` lists them. Settings, as in `make course LAB_PORT=9000`:
HOST ?= 127.0.0.1
BOOK_PORT ?= 8000
LAB_PORT ?= 8888
# the folder of the course, with nbgrader_config.py and assignments/, which may lie outside of this clone
COURSE ?= course_src

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# the first Python of at least 3.11; `make PYTHON=...` names another
NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python3.14; do \
	"$$p" $(NEW_ENOUGH) && echo "$$p" && break; done)
VENV := .venv
BIN := $(VENV)/bin
ENVIRONMENT := $(VENV)/.installed
NPM := book/node_modules/.package-lock.json
PAGES := _build/html/index.html
PDF := _build/html/book.pdf
# where the browser that prints the PDF is installed, `make test` looks at it
CHROMIUM := $(shell command -v chromium chromium-browser google-chrome)
# what `make course` shows while it builds everything else
PREVIEW := _build/preview/_build/html/index.html
FIRST ?= removing_names
# a course may have a table of contents of its own; in names of targets, a space needs a backslash
TOC := $(shell test -f "$(COURSE)/_toc.yml" && echo "$(COURSE)/_toc.yml" || echo _toc.yml)
escaped = $(shell printf '%s' "$(1)" | sed 's/ /\\ /g')
# empty means the clone's own, so that tests with other projects are not led to it
export DPTEACH_COURSE := $(if $(filter-out course_src,$(COURSE)),$(shell cd "$(COURSE)" 2>/dev/null && pwd))
export DPTEACH_TOC := $(if $(filter-out _toc.yml,$(TOC)),$(shell realpath "$(TOC)" 2>/dev/null))
# changes if another course is built than before
WHICH := _build/.course
WHOSE = echo "$(DPTEACH_COURSE) $(DPTEACH_TOC)"
$(shell mkdir -p _build; $(WHOSE) | cmp -s - $(WHICH) || $(WHOSE) > $(WHICH))
# an assignment that need not be built again, as `make course` built it a moment ago
BUILT :=
ASSIGNMENTS := $(call escaped,$(COURSE))/release/.built
SLIDES := _build/slides/.built

SERVE = $(BIN)/dpteach serve --course '$(COURSE)' --host '$(HOST)' --book-port '$(BOOK_PORT)' --lab-port '$(LAB_PORT)'

LIBRARY := $(shell find dpteach -name '*.py' -o -name '*.js' -o -name '*.css' -o -name '*.md')

# Jupyter keeps what it writes about itself inside the environment, and asks nobody anything
export JUPYTER_PLATFORM_DIRS := 1
export IPYTHONDIR := $(CURDIR)/$(VENV)/ipython
export npm_config_update_notifier := false
# compiled modules are kept, whatever is set elsewhere: each kernel and each test's worker would compile them again
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help
help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "Settings of make course and make teach: HOST=$(HOST) BOOK_PORT=$(BOOK_PORT) LAB_PORT=$(LAB_PORT) COURSE=$(COURSE)"

.PHONY: course
course: settings  ## serve the book and a student's JupyterLab on localhost, and build what is missing meanwhile
	@exec $(SERVE) --build

.PHONY: teach
teach: settings  ## the same with JupyterLab as an instructor has it: the whole course, the formgrader, the slides
	@exec $(SERVE) --build --instructor

# nonsense is said at once, not after the book was built
.PHONY: settings
settings: $(ENVIRONMENT)
	@$(SERVE) --check

.PHONY: environment
environment: $(ENVIRONMENT)  ## make the Python environment in .venv

$(ENVIRONMENT): requirements.txt pyproject.toml
	$(if $(shell "$(PYTHON)" $(NEW_ENOUGH) && echo yes),,$(error Python 3.11 or newer is needed, \
and $(if $(PYTHON),PYTHON=$(PYTHON) is none,none was found): install it, or name one with make PYTHON=/path/to/python3))
	$(if $(shell "$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null && echo yes),,$(error \
$(PYTHON) cannot make environments: install its venv, on Debian and Ubuntu with apt-get install python3-venv))
	@echo "Making the environment in $(VENV) ..."
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep -oE '^uv==[0-9.]+' requirements.txt)"
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --compile-bytecode --require-hashes -r requirements.txt
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --no-build-isolation --no-deps --editable .
# each kernel of the build would warn that what it says on this machine's loopback is not encrypted
	@mkdir -p $(VENV)/ipython/profile_default
	@echo "c.IPKernelApp.log_level = 'ERROR'" > $(VENV)/ipython/profile_default/ipython_kernel_config.py
	@touch $@

$(NPM): book/package.json book/package-lock.json $(ENVIRONMENT)
	@cd book && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --no-fund --no-audit
	@touch $@

.PHONY: book pages
book pages: $(PAGES)  ## build the book into _build/html; a cell that raises fails the build

# the front page and the first chapter; the others say that they are being built
.PHONY: first
first: $(PREVIEW) first-assignment

$(PREVIEW): $(NPM)
	@DPTEACH_PREVIEW=book/intro,book/$(FIRST) $(BIN)/jupyter-book build . --toc "$(TOC)" --path-output _build/preview --all -qq

.PHONY: first-assignment
first-assignment: $(ENVIRONMENT)
	@$(BIN)/dpteach assignments --course "$(COURSE)" $(FIRST)

# --all: a page that is not built anew would not be executed, and could not fail
$(PAGES): $(LIBRARY) $(ENVIRONMENT) $(NPM) _config.yml $(call escaped,$(TOC)) $(WHICH) LICENSES.md \
		$(wildcard book/*.md book/reference/*.md book/*.bib book/_ext/* book/_static/* tests/benchmarks/results.json tests/hostile/*.json course_src/demos/*.md)
	@rm -rf _build/jupyter_execute # of pages that have another name now
	$(BIN)/jupyter-book build . --toc "$(TOC)" --all -W -n --keep-going --quiet
	@touch $@

.PHONY: pdf
pdf: $(PDF)  ## the whole book as a PDF, by Chromium; the site links to it

$(PDF): $(PAGES) book/pdf.py book/pdf.css
	$(BIN)/python book/pdf.py _build/html "$(TOC)"

.PHONY: weigh
weigh: $(PAGES)  ## what the book's pages weigh, and how soon their first picture is there, on a slow line
	@$(BIN)/python tests/book/weigh.py

.PHONY: assignments
assignments: $(ASSIGNMENTS)  ## build the assignments: text to nbgrader's source and release

# Sphinx writes the pages on one processor, at the end: beside the book, the assignments take what it leaves
TEXTS := $(shell find "$(COURSE)"/nbgrader_config.py "$(COURSE)"/assignments/ -type f 2>/dev/null | sed 's/ /\\ /g')
NAMES := $(shell cd "$(COURSE)"/assignments 2>/dev/null && ls *.md | sed 's/\.md$$//')

$(ASSIGNMENTS): $(LIBRARY) $(ENVIRONMENT) $(TEXTS)
	nice -n 10 $(BIN)/dpteach assignments --course "$(COURSE)" $(filter-out $(BUILT),$(NAMES))
	@touch "$@"

.PHONY: slides
slides: $(SLIDES)  ## the demos for the lecture hall: _build/slides/index.html, which needs no kernel and no network

$(SLIDES): $(LIBRARY) $(ENVIRONMENT) $(NPM) $(wildcard course_src/demos/*.md dpteach/demos/*.html dpteach/demos/template/*/*)
	$(BIN)/dpteach slides
	@touch $@

.PHONY: check
check: $(ENVIRONMENT)  ## lint, format, types, fast tests on a few of their cases: about a minute
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -q -n 2 -m 'not slow' --every 20

.PHONY: format
format: $(ENVIRONMENT)  ## let ruff put the code in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

.PHONY: system
system:  # Chromium and bubblewrap, where this may install them; elsewhere tests skip and say so
	@missing=""; command -v chromium chromium-browser google-chrome >/dev/null || missing="$$missing chromium"; \
	command -v bwrap >/dev/null || missing="$$missing bubblewrap"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing$$missing"; export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	else echo "make test: some tests will be skipped without$$missing; on Debian and Ubuntu: sudo apt-get install$$missing" >&2; fi

.PHONY: built
built: $(PAGES) $(if $(CHROMIUM),$(PDF)) $(ASSIGNMENTS) $(SLIDES)

# one of them is `make -j 2 built`, beside those that need no book
TEST = $(BIN)/pytest -q -n 3 --durations 25 --build tests dpteach

.PHONY: test
test: $(ENVIRONMENT) system  ## every test: the package, the book's notebooks, the assignments, the browser
	$(TEST)

.PHONY: test-all
test-all: $(ENVIRONMENT) system  ## every test, and in full the sweeps of which make test takes a sample
	$(TEST) --all

.PHONY: messages
messages: $(ENVIRONMENT)  ## extract the messages of the source for translators: _build/messages/DOMAIN.pot
	@$(BIN)/python tests/messages.py

# what tries the library; the others try grading, the book, its figures and its widgets
LIBRARY_TESTS = tests/library $(wildcard tests/test_*.py) dpteach/*.py \
	$(filter-out $(addsuffix /,$(addprefix dpteach/,__pycache__ demos figures grading widgets)), $(wildcard dpteach/*/))

.PHONY: coverage
coverage: $(ENVIRONMENT)  ## branches of the library that its tests reach; below 95 % it fails
	$(BIN)/pytest -q -n 2 --cov --cov-report=term $(LIBRARY_TESTS)

# not in the environment of the course, which is locked; pytest looks for the warnings of SQLAlchemy
MUTMUT := $(VENV)/mutation/bin/mutmut
ONLY ?=

$(MUTMUT): $(ENVIRONMENT)
	@$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python $(VENV)/mutation
	@$(BIN)/uv pip install --quiet --python $(VENV)/mutation --constraints requirements.txt \
		mutmut==3.8.1 libcst==1.9.0 numpy scipy hypothesis mpmath pytest sqlalchemy
	@touch $@

.PHONY: mutation
mutation: $(MUTMUT)  ## which changed lines no test notices, as in tests/MUTATION.md; ONLY='dpteach.notions.pure*' for some; half an hour
	$(MUTMUT) run $(if $(ONLY),'$(ONLY)')
	$(MUTMUT) results

# not in the environment of the course either; JOBS='b.rdp f.zcdp growth' for some, PEERS=all for all libraries,
# and with all of both RECORD=1 makes them the numbers that the book shows
PEERS ?=
RECORD ?=
PEERS_ENVIRONMENT := $(VENV)/peers/.installed$(PEERS)
JOBS ?=

$(PEERS_ENVIRONMENT): tests/benchmarks/peers.txt tests/benchmarks/more_peers.txt $(ENVIRONMENT)
	@$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python $(VENV)/peers
	@$(BIN)/uv pip install --quiet --python $(VENV)/peers -r $<
	$(if $(PEERS),@$(BIN)/uv pip install --quiet --no-deps --python $(VENV)/peers -r tests/benchmarks/more_peers.txt)
	@touch $@

.PHONY: bench
bench: $(PEERS_ENVIRONMENT)  ## time dpteach and its peers on the same jobs, check the answers; some minutes, PEERS=all a quarter of an hour
	$(BIN)/python tests/benchmarks/run.py $(VENV)/peers/bin/python $(if $(RECORD),--record) $(JOBS)

.PHONY: bench-grading
bench-grading: $(ENVIRONMENT)  ## time dpteach grade on 200 submissions, and nbgrader autograde on ten; five minutes
	$(BIN)/python -W ignore tests/benchmarks/grading.py --to $(if $(RECORD),tests,_build)/benchmarks/grading.json

.PHONY: lock
lock: $(ENVIRONMENT)  ## resolve requirements.txt anew from pyproject.toml
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --all-extras \
		--no-emit-package dpteach --no-header --quiet --upgrade pyproject.toml -o requirements.txt

# what only a term makes: submissions and what came of them, the seed of the hidden cases among it
TERM_DATA := submitted autograded feedback reports versions .exchange .grading .term gradebook.db*

# of source and release only the built files go: what somebody put beside them is nobody's to make again
.PHONY: clean
clean:  ## remove everything that a command makes again, the environment too; course_src/work and a term's data stay
	rm -rf $(VENV) _build mutants .coverage book/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f $(ASSIGNMENTS)
	@cd "$(COURSE)" && for text in assignments/*.md; do name=$$(basename "$$text" .md); \
		rm -f {source,release}/"$$name"/{"$$name.ipynb",checks.json,versions.json}; \
		if [ -d assignments/"$$name" ]; then (cd assignments/"$$name" && find . -type f -print0) | \
			while IFS= read -r -d '' file; do rm -f {source,release}/"$$name/$$file"; done; fi; done
	@for folder in "$(COURSE)"/{source,release}; do if [ -d "$$folder" ]; then find "$$folder" -depth -type d -empty -delete; fi; done
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@cd "$(COURSE)" && for name in $(TERM_DATA); do if [ -e $$name ]; then kept="$${kept:-} $$name"; fi; done; \
	if [ -n "$${kept:-}" ]; then echo "kept, as no command makes it again: $(COURSE):$$kept (make new-term puts it away)"; fi

.PHONY: new-term
new-term:  ## move a term's submissions, grades and feedback to COURSE/terms/DATE; nothing is removed
	@cd "$(COURSE)" && place=terms/$$(date +%Y-%m-%d-%H%M%S) && mkdir -p "$$place" && \
	for name in $(TERM_DATA); do if [ -e $$name ]; then mv $$name "$$place"; fi; done && \
	rm -f release/.built && echo "the term is in $(COURSE)/$$place; make assignments begins the next one"
