# The commands of this repository; `make help` lists them. The list of nested packages is read from
# the folders, so a new package is tested, linted and cleaned without a change to this file.

# SwiftPM passes each trait to the compiler as a flag, so a changed set of traits recompiles
# everything. Builds in `.build/quick` therefore pass the traits to Package.swift in WHARF_TRAITS,
# and no traits to SwiftPM. All modules without a heavy dependency then have the same flags. Only
# WharfStores is recompiled, for `make test/encryption`.
#
# `.build/macros` contains swift-syntax. SwiftPM builds a test bundle with macros for the host's
# tools, under other names, so each module in that bundle is compiled a second time.
QUICK_TRAITS := SQLite,TestServer,KillHarness,Sendmail
HEAVY_TRAITS := OpenCombine,Cast,Server
# Writing the index takes a third of the build time. Tests/XCTMain.swift says how `swift test` works
# without it.
NO_INDEX := --disable-index-store
# Debug information takes a quarter of the build time. For a debugger: make t ONLY=… NO_DEBUG_INFO=
NO_DEBUG_INFO := -debug-info-format none
LEAN := $(NO_INDEX) $(NO_DEBUG_INFO)
QUICK := --scratch-path .build/quick --disable-default-traits $(LEAN)
# SwiftPM can't plan a bundle with both macro tests and a custom entry point. Here it generates the
# entry point from the index, so the index is on.
MACROS := --scratch-path .build/macros --traits Macros --enable-test-discovery $(NO_DEBUG_INFO)
MACROS_TESTS := WharfMacrosTests
# The test targets that contain no tests without one of the heavy traits.
HEAVY_TESTS := WharfCastTests WharfCombineTests WharfGatewayTests WharfServerTests
QUICK_TESTS := $(filter-out $(HEAVY_TESTS) $(MACROS_TESTS),$(notdir $(wildcard Tests/*/Wharf*Tests)))
BOOTSTRAP := scripts/bootstrap
EXAMPLE := Examples/Quickstart
TRACKER := Examples/Tracker
# The build folder of a nested package, in place of its own. CI names `.build/quick`, which has the
# compiled Wharf, and sets WHARF_TRAITS as well.
SCRATCH ?=
# Both examples have the same traits. They share a folder, so that Wharf is compiled once for both.
EXAMPLE_SCRATCH = $(or $(SCRATCH),$(EXAMPLE)/.build)
# A regular expression that selects tests; empty for all tests.
FILTER ?=
# The test targets that `t` builds and runs, separated by commas.
ONLY ?=
# The folder under which `install` puts files. DESTDIR is prepended to it.
PREFIX ?= /usr/local
DESTDIR ?=

# The targets that build and run the test bundles of this package.
BUNDLES := $(foreach bundle,quick heavy encryption macros,built/$(bundle) test/$(bundle))
# The nested packages. Those with a folder Tests are tested.
PACKAGES := $(patsubst %/Package.swift,%,$(wildcard Tools/Package.swift Examples/*/Package.swift Benchmarks/Package.swift \
	Tests/*/Package.swift))
TESTED := $(foreach package,$(PACKAGES),$(if $(wildcard $(package)/Tests),$(package)))

.PHONY: traits help bootstrap run list tracker test test-all $(BUNDLES) t tested fuzz fuzz/transports simulate bench lint format docs api snippets install uninstall clean test/browser $(addprefix test/,$(TESTED))

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

bootstrap: ## check for the build tools, and install missing ones
	@$(BOOTSTRAP)

run: bootstrap ## read, kill the service, read again, edit, bring it back: the example in Examples/Quickstart
	@scripts/quietly "Building $(EXAMPLE); the first time takes a minute or two" \
		scripts/swiftpm build $(LEAN) --package-path $(EXAMPLE) --scratch-path $(EXAMPLE_SCRATCH)
	@swift run $(LEAN) --package-path $(EXAMPLE) --scratch-path $(EXAMPLE_SCRATCH) --skip-build --quiet Quickstart

list: bootstrap ## show a list over a service that dies and comes back: the example Listing in Examples/Quickstart
	@scripts/quietly "Building $(EXAMPLE); the first time takes a minute or two" \
		scripts/swiftpm build $(LEAN) --package-path $(EXAMPLE) --scratch-path $(EXAMPLE_SCRATCH)
	@swift run $(LEAN) --package-path $(EXAMPLE) --scratch-path $(EXAMPLE_SCRATCH) --skip-build --quiet Listing

tracker: bootstrap ## an issue tracker: pages, offline changes, restart, search, conflict: the example Examples/Tracker
	@scripts/quietly "Building $(TRACKER); the first time takes a minute or two" \
		scripts/swiftpm build $(LEAN) --package-path $(TRACKER) --scratch-path $(EXAMPLE_SCRATCH)
	@swift run $(LEAN) --package-path $(TRACKER) --scratch-path $(EXAMPLE_SCRATCH) --skip-build --quiet TrackerDemo

test: bootstrap test/quick ## run the tests without heavy packages: 95 of 100 tests

test-all: bootstrap test/quick test/heavy test/macros $(addprefix test/,$(TESTED)) test/browser test/encryption ## run all tests: the rest of the package, then each nested package, and the admin page in Chromium

# Limits the tests that run at the same time, if this `swift test` has the option. Otherwise it
# starts all tests at once, and tests that depend on real time get too little processor time.
FEW := --experimental-maximum-parallelization-width
FEW_AT_A_TIME = $(if $(findstring $(FEW),$(shell swift test --help-hidden)),$(FEW) 8)
SELECTED = $(if $(FILTER),--filter '$(FILTER)')
# Both libraries are enabled explicitly. From Tests/XCTMain.swift `swift test` would conclude that
# the package does not use Swift Testing, and would run the XCTest tests only.
BOTH := --enable-swift-testing --enable-xctest
empty :=
space := $(empty) $(empty)
comma := ,
list = $(subst $(space),$(comma),$(strip $(1)))

# The build products of Tests/XCTMain.swift. It checks by canImport which test targets exist. The
# compiler does not notice when that changes, so these files are deleted before each build.
ENTRY_POINT := .build/quick/debug/WharfPackageTests.build/XCTMain.*
# Returns the modules with XCTest tests that are not in a bundle of the given targets. A module of
# an earlier build would satisfy canImport, and Tests/XCTMain.swift would refer to tests that are
# not linked.
XCTEST_TARGETS := WharfDependenciesTests WharfTestingTests
xctest_modules = $(patsubst %,.build/quick/debug/Modules/%.swiftmodule,$(filter-out $(subst $(comma), ,$(1)),$(XCTEST_TARGETS)))

# Package.swift reads WHARF_ONLY. The product is the bundle of the remaining test targets. Unlike
# --build-tests it does not build Snippets.
built/quick test/quick: export WHARF_TRAITS := $(QUICK_TRAITS)
built/quick test/quick: export WHARF_ONLY := $(call list,$(QUICK_TESTS))
built/quick:
	@rm -f $(ENTRY_POINT)
	scripts/swiftpm build $(QUICK) --product WharfPackageTests

# `swift test` combines several filters by "or", so a single expression has both conditions.
HEAVY_SELECTED = ^(?=(?:$(subst $(space),|,$(HEAVY_TESTS)))\.).*(?:$(FILTER))

# The bundle includes the quick tests. Without them it would need another entry point, and the build
# plan would lack the quick modules that scripts/snippets and scripts/docs read from it.
built/heavy test/heavy fuzz/transports: export WHARF_TRAITS := $(QUICK_TRAITS),$(HEAVY_TRAITS)
built/heavy test/heavy fuzz/transports: export WHARF_ONLY := $(call list,$(QUICK_TESTS) $(HEAVY_TESTS))
built/heavy:
	@rm -f $(ENTRY_POINT)
	scripts/swiftpm build $(QUICK) --product WharfPackageTests

built/encryption test/encryption: export WHARF_TRAITS := $(QUICK_TRAITS),Encryption
built/encryption test/encryption: export WHARF_ONLY := WharfStoresTests
built/encryption:
	@rm -f $(ENTRY_POINT) $(call xctest_modules,WharfStoresTests)
	scripts/swiftpm build $(QUICK) --product WharfPackageTests

built/macros test/macros: export WHARF_ONLY := $(MACROS_TESTS)
built/macros:
	scripts/swiftpm build $(MACROS) --product WharfPackageTests

test/quick: built/quick
	scripts/run-tests swift test --skip-build $(QUICK) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

test/heavy: built/heavy
	scripts/run-tests swift test --skip-build $(QUICK) $(BOTH) $(FEW_AT_A_TIME) --filter '$(HEAVY_SELECTED)'

test/encryption: built/encryption
	scripts/run-tests swift test --skip-build $(QUICK) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

test/macros: built/macros
	scripts/run-tests swift test --skip-build $(MACROS) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

# The development loop for one test target.
t: export WHARF_ONLY := $(ONLY)
t: export WHARF_TRAITS := $(QUICK_TRAITS)$(if $(filter $(HEAVY_TESTS),$(subst $(comma), ,$(ONLY))),$(comma)$(HEAVY_TRAITS))
t: ## build and run one test target with its dependencies: make t ONLY=WharfCacheTests
	@test -n '$(ONLY)' || { echo 'make t: name a test target, for example: make t ONLY=WharfCacheTests' >&2; exit 2; }
	@rm -f $(ENTRY_POINT) $(call xctest_modules,$(ONLY))
	scripts/swiftpm build $(QUICK) --product WharfPackageTests
	scripts/run-tests swift test --skip-build $(QUICK) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

# A nested package with its own entry point does not need the index either.
NESTED = $(if $(wildcard $*/Tests/XCTMain.swift),$(NO_INDEX)) $(NO_DEBUG_INFO) --package-path $* $(if $(SCRATCH),--scratch-path $(SCRATCH))
$(addprefix test/,$(TESTED)): test/%:
	scripts/swiftpm build --build-tests $(NESTED)
	scripts/run-tests swift test --skip-build $(NESTED) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

# It builds wharf, unless Chromium is missing.
test/browser:
	scripts/browser-tests

# Prints the traits for .ci/run, which builds nested packages in `.build/quick`.
traits:
	@echo '$(QUICK_TRAITS),$(HEAVY_TRAITS)'

# Prints the nested packages with tests for .ci/run, which measures the time of each.
tested:
	@printf '%s\n' $(TESTED)

fuzz: bootstrap ## feed random documents to all readers of JSON and GraphQL, under AddressSanitizer, 30 s for each target
	@scripts/fuzz

fuzz/transports: export WHARF_RUNS := 10000
fuzz/transports: built/heavy ## send 10,000 mutated answers to each transport over real sockets; make test sends 1,000
	scripts/run-tests swift test --skip-build $(QUICK) $(BOTH) $(FEW_AT_A_TIME) --filter 'AnswerFuzzTests/.*GivesNoWrongAnswer'

# The build is optimised, so that each schedule takes a tenth of the time. The tests read the seeds
# from WHARF_SEEDS.
SEEDS ?= 1-1000
SIMULATION := -c release -Xswiftc -enable-testing --scratch-path .build/simulation --traits $(QUICK_TRAITS) $(LEAN)
simulate: export WHARF_ONLY := WharfRepositoryTests,WharfTests
simulate: export WHARF_SEEDS := $(SEEDS)
simulate: export SWIFT_DETERMINISTIC_HASHING := 1
simulate: bootstrap ## run two simulated processes over one file, and two clients of one service, in many orders: make simulate SEEDS=1-1000
	scripts/swiftpm build $(SIMULATION) --product WharfPackageTests
	scripts/run-tests swift test --skip-build $(SIMULATION) $(BOTH) $(FEW_AT_A_TIME) --filter 'TwoProcessSimulationTests|LostUpdateTests|TwoClientsTests'

bench: bootstrap ## measure, and print the ratios to the baselines of the same run
	@Benchmarks/run

lint: ## check the format of every Swift file, and which files are wrapped in #if
	@scripts/swift-files | xargs -0 swift format lint --strict --parallel
	@scripts/wraps

format: ## bring every Swift file into format
	@scripts/swift-files | xargs -0 swift format format --in-place --parallel

docs: bootstrap built/heavy built/macros ## check the claims of the prose, and build the documentation: open .build/site/index.html
	@scripts/claims
	@scripts/articles
	@scripts/docs

api: bootstrap built/heavy built/macros ## write the public API into the folder API, with which make docs compares
	@graphs=$$(mktemp -d) && scripts/symbol-graphs "$$graphs" && scripts/api --write "$$graphs"; status=$$?; rm -rf "$$graphs"; exit $$status

snippets: bootstrap built/heavy built/macros ## build and run each snippet, and compare its output
	@TRAITS='$(QUICK_TRAITS),$(HEAVY_TRAITS),Macros' scripts/snippets

install: ## install wharf and annotate-git-commit, manual pages and completions into /usr/local, or into PREFIX=…
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install

uninstall: ## remove the files that make install has put there
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install --uninstall

clean: ## remove everything that was built
	rm -rf .build Fuzz/.build $(addsuffix /.build,$(PACKAGES))
