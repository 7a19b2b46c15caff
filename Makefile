# One word for each thing one does here. The lists of packages are read from the folders: a nested package that appears is
# tested, linted and cleaned without a change to this file.

TRAITS := SQLite,TestServer,KillHarness,Macros,Encryption,OpenCombine,AsyncHTTPClient,Cast,Sendmail,Observability,ServiceLifecycle
BOOTSTRAP := scripts/bootstrap
EXAMPLE := Examples/Quickstart
# Writing the index takes nearly half of a first build. Only `run` can do without: on Linux `swift test` finds XCTests by it.
RUN_FLAGS := --disable-index-store
# Of tests; all of them unless it says which.
FILTER ?=
# Where `install` puts things; DESTDIR goes before it.
PREFIX ?= /usr/local
DESTDIR ?=

# Nested packages; those with a folder Tests are tested.
PACKAGES := $(patsubst %/Package.swift,%,$(wildcard Tools/Package.swift Examples/*/Package.swift Benchmarks/Package.swift \
	Tests/*/Package.swift))
TESTED := $(foreach package,$(PACKAGES),$(if $(wildcard $(package)/Tests),$(package)))

.PHONY: help bootstrap run list test t test-root tested fuzz bench lint format docs snippets install uninstall clean $(addprefix test/,$(TESTED))

help: ## what can be made (this)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

bootstrap: ## check for what Wharf is built with, and install what is missing
	@$(BOOTSTRAP)

run: bootstrap ## read, kill the service, read again, edit, bring it back: the example in Examples/Quickstart
	@scripts/quietly "Building $(EXAMPLE); the first time takes a minute or two" \
		scripts/swiftpm build $(RUN_FLAGS) --package-path $(EXAMPLE)
	@swift run $(RUN_FLAGS) --package-path $(EXAMPLE) --skip-build --quiet Quickstart

list: bootstrap ## show a list over a service that dies and comes back: the example Listing in Examples/Quickstart
	@scripts/quietly "Building $(EXAMPLE); the first time takes a minute or two" \
		scripts/swiftpm build $(RUN_FLAGS) --package-path $(EXAMPLE)
	@swift run $(RUN_FLAGS) --package-path $(EXAMPLE) --skip-build --quiet Listing

test: bootstrap test-root $(addprefix test/,$(TESTED)) ## test everything: the package, then each nested package

# A few at a time where `swift test` can do that: it starts all at once, and those that wait for real time get too little of it.
FEW := --experimental-maximum-parallelization-width
FEW_AT_A_TIME = $(if $(findstring $(FEW),$(shell swift test --help-hidden)),$(FEW) 8)
test-root:
	scripts/swiftpm build --build-tests --traits $(TRAITS)
	swift test --skip-build --traits $(TRAITS) $(FEW_AT_A_TIME) $(if $(FILTER),--filter '$(FILTER)')

# One test target and its dependencies: the loop while working on it. ONLY takes several, divided by commas.
QUICK := --traits SQLite,TestServer --disable-index-store
t: ## build and run one test target alone: make t ONLY=WharfCacheTests
	@test -n '$(ONLY)' || { echo 'make t: name a test target, for example: make t ONLY=WharfCacheTests' >&2; exit 2; }
	WHARF_ONLY=$(ONLY) scripts/swiftpm build $(QUICK) --product WharfPackageTests
	WHARF_ONLY=$(ONLY) swift test --skip-build $(QUICK) $(FEW_AT_A_TIME) $(if $(FILTER),--filter '$(FILTER)')

$(addprefix test/,$(TESTED)): test/%:
	scripts/swiftpm build --build-tests --package-path $*
	swift test --skip-build --package-path $* $(FEW_AT_A_TIME) $(if $(FILTER),--filter '$(FILTER)')

# The nested packages that test/… tests, for .ci/run, which times each.
tested:
	@printf '%s\n' $(TESTED)

fuzz: bootstrap ## feed random documents to all that reads JSON or GraphQL, under AddressSanitizer, 30 s for each target
	@scripts/fuzz

bench: bootstrap ## measure, and print the ratios to the baselines of the same run
	@Benchmarks/run

lint: ## check the format of every Swift file
	@scripts/swift-files | xargs -0 swift format lint --strict --parallel

format: ## bring every Swift file into format
	@scripts/swift-files | xargs -0 swift format format --in-place --parallel

docs: bootstrap ## check what the prose claims, and build the documentation into .build/docs
	@scripts/claims
	@TRAITS=$(TRAITS) scripts/docs

snippets: bootstrap ## build and run each piece in Snippets and compare what it prints
	@TRAITS=$(TRAITS) scripts/snippets

install: ## install wharf and annotate-git-commit, manual pages and completions into /usr/local, or into PREFIX=…
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install

uninstall: ## remove what make install has put there
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install --uninstall

clean: ## remove everything that was built
	rm -rf .build Fuzz/.build $(addsuffix /.build,$(PACKAGES))
