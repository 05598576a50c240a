# The two commands that a new user needs: `make run` and `make test`. `make help` lists the rest.

SHELL := /bin/bash
.DELETE_ON_ERROR:

SCENARIO ?= scenarios/murphys-laws/release-gate.yaml
RELEASE := .build-release
MURPHY := $(RELEASE)/release/murphy

SYSTEM_PYTHON := /usr/bin/python3

.PHONY: help run gates test deploy-check shards-check action-check slurm-check scale soak attack test-unit conformance build release bench bench-accuracy behaviour-bench wild tracing causes limiters costs costs-check costs-record cost-bench sample check format lint dist dist-test image-check wheel release-notes docs site site-check commands commands-check guides-check packages test-packages bench-packages clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-15s %s\n", $$1, $$2 }'

run: release ## replay the release gate against the embedded reference API
	$(MURPHY) run $(SCENARIO)

gates: release ## the release gates of all reference APIs
	@for gate in scenarios/*/release-gate.yaml; do echo "$$gate"; $(MURPHY) run "$$gate" --report reports/gates || exit 1; done

test: packages test-packages conformance ## build everything, hold the costs of a request to their budgets, run all tests
	@echo "Building murphy and its tests for release: a quarter of an hour the first time"
	swift build -c release --scratch-path $(RELEASE) --build-tests
	$(MAKE) --no-print-directory costs-check; costs=$$?; CONFIGURATION=release Tests/run && exit $$costs

test-unit: packages conformance ## build everything, run the tests of the modules that only compute
	swift build -c release --scratch-path $(RELEASE) --build-tests
	CONFIGURATION=release Tests/run --unit

deploy-check: test-packages ## validate manifests, CI recipes and the Containerfile, and prove the S3 server of the tests
	Tests/Integration/Deploy/manifests_test.py
	Tests/Integration/Deploy/pipelines_test.py
	Tests/Integration/Deploy/release_test.py
	Tests/Integration/Deploy/gate_test.py
	$(SYSTEM_PYTHON) Tests/Integration/S3/server_test.py

shards-check: release test-packages ## shards as the manifests run them, and their results in S3, with the real program
	MURPHY=$(MURPHY) Tests/Integration/Deploy/shards_test.py
	MURPHY=$(MURPHY) $(SYSTEM_PYTHON) Tests/Integration/S3/s3.py

action-check: release test-packages ## the steps of action.yml and of the recipes, with a release on loopback and the real program
	MURPHY=$(MURPHY) Tests/Integration/Deploy/action_test.py
	MURPHY=$(MURPHY) Tests/Integration/Deploy/recipes_test.py

slurm-check: release ## submit deploy/slurm/murphy.sbatch to a real Slurm of one machine; as root
	@.ci/install-packages apt-packages-slurm.txt
	MURPHY=$(MURPHY) Tests/Integration/Slurm/slurm_test.py

scale: release ## what merging a thousand shards costs
	$(SYSTEM_PYTHON) Tests/Integration/Scale/shards.py $(MURPHY)

soak: release ## an hour of load with every kind of check: memory, open files, account of requests
	$(SYSTEM_PYTHON) Tests/Integration/Scale/soak.py $(MURPHY)

attack: release ## about a thousand hostile inputs against every surface of the program
	$(SYSTEM_PYTHON) Tests/Integration/Attack/attack.py $(MURPHY)

conformance: packages ## get the public test suites of JSON Schema and JSONPath
	@$(SYSTEM_PYTHON) Tests/Integration/Conformance/fetch.py

build: packages ## debug build
	swift build

release: packages ## release build into .build-release
	@echo "Building murphy for release: minutes the first time"
	swift build -c release --scratch-path $(RELEASE) --product murphy

bench: release cost-bench bench-packages ## ratios beside other tools, measured in one run
	swift build -c release --scratch-path $(RELEASE) --product SchemaBench
	Tests/Benchmarks/run $(RELEASE)/release

bench-accuracy: release bench-packages ## the accuracy of latencies, capacities and comparisons, in half an hour
	Tests/Benchmarks/run $(RELEASE)/release --accuracy

behaviour-bench: release ## find planted changes of responses, and none in a server compared with itself
	python3 Tests/Benchmarks/behaviour.py --murphy $(MURPHY)

wild: release ## try murphy and schemathesis on servers of other projects, from PyPI and Debian
	python3 Tests/Benchmarks/wild.py --murphy $(MURPHY)

tracing: release ## receive the spans of an application with the OpenTelemetry SDK, from PyPI
	python3 Tests/Integration/Tracing/tracing.py --murphy $(MURPHY)

causes: release ## find the one slower span of ten in real comparisons, and none in a server compared with itself
	python3 Tests/Benchmarks/causes.py --murphy $(MURPHY) --work .build-bench/causes

limiters: release bench-packages ## try murphy on rate limiters of other projects, with right and wrong declarations; as root
	python3 Tests/Benchmarks/limiters.py --murphy $(MURPHY)

costs costs-check costs-record: COSTS = python3 Tests/Benchmarks/Costs/costs.py $(RELEASE)/release/CostBench
costs: cost-bench ## instructions, allocations, retains and system calls of one request
	$(COSTS)
costs-check: cost-bench ## fail where a request costs more than its budget
	$(COSTS) --check
costs-record: cost-bench ## write the budgets of what a request costs
	$(COSTS) --record
cost-bench: packages test-packages
	@echo "Building murphy for release: minutes the first time"
	swift build -c release --scratch-path $(RELEASE) --product CostBench

check: release ## lint every shipped scenario and contract
	@for file in scenarios/*/*.yaml; do $(MURPHY) check "$$file" || exit 1; done

sample: release test-packages ## record reports/sample and the pictures of the README again from real runs
	PATH="$(CURDIR)/$(RELEASE)/release:$$PATH" docs/images/sample

format: ## lay out all Swift sources
	swift format -i --parallel --recursive Package.swift Sources Tests

lint: packages ## the formatter as a judge, and duplicated code
	swift format lint --strict --parallel --recursive Package.swift Sources Tests
	.ci/duplicates

dist: ## a tarball, a .deb and their checksums in dist/, which need no Swift
	.ci/dist

dist-test: ## install what is in dist/ into a clean Debian 12 and 13, run a gate, remove it; as root
	@.ci/install-packages apt-packages-dist-test.txt
	.ci/dist-test

image-check: ## build the container image from dist/ with buildah and a clean Debian 13, run a scenario in it; as root
	@.ci/install-packages apt-packages-dist-test.txt
	.ci/image-check

wheel: ## a Python wheel of what is in dist/, tested in a virtual environment
	@.ci/install-packages apt-packages-dist-test.txt
	.ci/wheel

release-notes: packages ## the section of CHANGELOG.md of this version
	@.ci/release-notes

SITE := .build-site
SITE_PYTHON := $(SITE)/python/bin/python

$(SITE)/installed: .ci/site/requirements.txt
	@.ci/install-packages apt-packages-site.txt
	$(SYSTEM_PYTHON) -m venv --clear $(SITE)/python
	$(SITE_PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	@touch $@

site: $(SITE)/installed ## the documentation as a website in .build-site/site; a broken link, anchor or unlisted page is a failure
	NO_MKDOCS_2_WARNING=1 $(SITE_PYTHON) -m mkdocs build --strict

site-check: $(SITE)/installed ## break the website's links, anchors and pages, and expect each to fail
	$(SITE_PYTHON) Tests/Integration/Site/site_test.py

commands: release ## write docs/commands.md out of the program's help
	.ci/commands $(MURPHY)

commands-check: release ## fail where docs/commands.md is not the program's help
	.ci/commands $(MURPHY) --check

guides-check: release ## run the commands of the documentation, and compare their exit statuses with the pages
	$(SYSTEM_PYTHON) Tests/Integration/Guides/guides.py $(MURPHY)

docs: build ## the library's pages (DocC) into .build/docs; a warning is a failure
	.ci/docs

packages: ## install the Debian packages that the build needs
	@.ci/install-packages apt-packages.txt

test-packages:
	@.ci/install-packages apt-packages-test.txt

bench-packages:
	@.ci/install-packages apt-packages-bench.txt

clean: ## remove what was built
	rm -rf .build .build-release .build-dist .build-static .build-site .build-deploy .build-bench .build-conformance dist
