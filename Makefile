# One word for each thing one does here. The lists of packages are read from the folders: a nested package that appears is
# tested, linted and cleaned without a change to this file.

# SwiftPM gives every trait to the compiler as a flag, so another set of traits compiles everything
# again. Builds in `.build/quick` give the traits to Package.swift, by WHARF_TRAITS, and no trait to
# SwiftPM: all modules without a heavy dependency then have the same flags. `make test/encryption`
# compiles one of them again, WharfStores.
#
# `.build/macros` has swift-syntax. SwiftPM builds a bundle that tests a macro for the host's tools,
# under other names: a module in that bundle is compiled a second time.
QUICK_TRAITS := SQLite,TestServer,KillHarness,Sendmail
HEAVY_TRAITS := OpenCombine,AsyncHTTPClient,Cast,Observability,ServiceLifecycle
# Writing the index takes a third of a build. Tests/XCTMain.swift says how `swift test` does without.
NO_INDEX := --disable-index-store
# Debug information takes a quarter of a build. For a debugger: make t ONLY=… NO_DEBUG_INFO=
NO_DEBUG_INFO := -debug-info-format none
LEAN := $(NO_INDEX) $(NO_DEBUG_INFO)
QUICK := --scratch-path .build/quick --disable-default-traits $(LEAN)
# SwiftPM can't plan a bundle that has both tests of macros and an entry point of ours, so it makes one here, from the index.
MACROS := --scratch-path .build/macros --traits Macros --enable-test-discovery $(NO_DEBUG_INFO)
MACROS_TESTS := WharfMacrosTests
# Empty without one of the heavy traits.
HEAVY_TESTS := WharfAsyncHTTPClientTests WharfCastTests WharfCombineTests WharfObservabilityTests WharfServiceLifecycleTests
QUICK_TESTS := $(filter-out $(HEAVY_TESTS) $(MACROS_TESTS),$(notdir $(wildcard Tests/*/Wharf*Tests)))
BOOTSTRAP := scripts/bootstrap
EXAMPLE := Examples/Quickstart
TRACKER := Examples/Tracker
# Another folder for a nested package. For `.build/quick`, where Wharf is compiled, CI sets
# WHARF_TRAITS too.
SCRATCH ?=
# The examples have the same traits, so one folder compiles Wharf once for both.
EXAMPLE_SCRATCH = $(or $(SCRATCH),$(EXAMPLE)/.build)
# Of tests; all of them unless it says which.
FILTER ?=
# The test targets that `t` builds and runs, divided by commas.
ONLY ?=
# Where `install` puts things; DESTDIR goes before it.
PREFIX ?= /usr/local
DESTDIR ?=

# The test bundles of this package: built, and run.
BUNDLES := $(foreach bundle,quick heavy encryption macros,built/$(bundle) test/$(bundle))
# Nested packages; those with a folder Tests are tested.
PACKAGES := $(patsubst %/Package.swift,%,$(wildcard Tools/Package.swift Examples/*/Package.swift Benchmarks/Package.swift \
	Tests/*/Package.swift))
TESTED := $(foreach package,$(PACKAGES),$(if $(wildcard $(package)/Tests),$(package)))

.PHONY: traits help bootstrap run list tracker test test-all $(BUNDLES) t tested fuzz fuzz/transports simulate bench lint format docs api snippets install uninstall clean $(addprefix test/,$(TESTED))

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

test-all: bootstrap test/quick test/heavy test/macros $(addprefix test/,$(TESTED)) test/encryption ## run all tests: the rest of the package, then each nested package

# A few at a time where `swift test` can do that: it starts all at once, and those that wait for real time get too little of it.
FEW := --experimental-maximum-parallelization-width
FEW_AT_A_TIME = $(if $(findstring $(FEW),$(shell swift test --help-hidden)),$(FEW) 8)
SELECTED = $(if $(FILTER),--filter '$(FILTER)')
# Both are named, or `swift test` runs XCTest's alone: it takes Tests/XCTMain.swift for a package from before Swift Testing.
BOTH := --enable-swift-testing --enable-xctest
empty :=
space := $(empty) $(empty)
comma := ,
list = $(subst $(space),$(comma),$(strip $(1)))

# What was built of Tests/XCTMain.swift. It asks by canImport which targets there are, and the compiler does not ask again by itself.
ENTRY_POINT := .build/quick/debug/WharfPackageTests.build/XCTMain.*
# The modules with tests of XCTest that a bundle of the given targets leaves out. A module from an
# earlier build would answer canImport, and Tests/XCTMain.swift would name tests that are not
# linked.
XCTEST_TARGETS := WharfDependenciesTests WharfTestingTests
xctest_modules = $(patsubst %,.build/quick/debug/Modules/%.swiftmodule,$(filter-out $(subst $(comma), ,$(1)),$(XCTEST_TARGETS)))

# WHARF_ONLY is read by Package.swift. The product is the bundle of all test targets that are left; unlike --build-tests it leaves
# Snippets alone.
built/quick test/quick: export WHARF_TRAITS := $(QUICK_TRAITS)
built/quick test/quick: export WHARF_ONLY := $(call list,$(QUICK_TESTS))
built/quick:
	@rm -f $(ENTRY_POINT)
	scripts/swiftpm build $(QUICK) --product WharfPackageTests

# `swift test` runs a test that one of several filters selects, so both conditions are in one.
HEAVY_SELECTED = ^(?=(?:$(subst $(space),|,$(HEAVY_TESTS)))\.).*(?:$(FILTER))

# The bundle has the quick tests too. Without them its entry point would be another one, and
# scripts/snippets and scripts/docs would lack the quick modules in its build plan.
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

# The loop while working on one target.
t: export WHARF_ONLY := $(ONLY)
t: export WHARF_TRAITS := $(QUICK_TRAITS)$(if $(filter $(HEAVY_TESTS),$(subst $(comma), ,$(ONLY))),$(comma)$(HEAVY_TRAITS))
t: ## build and run one test target with its dependencies: make t ONLY=WharfCacheTests
	@test -n '$(ONLY)' || { echo 'make t: name a test target, for example: make t ONLY=WharfCacheTests' >&2; exit 2; }
	@rm -f $(ENTRY_POINT) $(call xctest_modules,$(ONLY))
	scripts/swiftpm build $(QUICK) --product WharfPackageTests
	scripts/run-tests swift test --skip-build $(QUICK) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

# A nested package with an entry point of its own needs no index either.
NESTED = $(if $(wildcard $*/Tests/XCTMain.swift),$(NO_INDEX)) $(NO_DEBUG_INFO) --package-path $* $(if $(SCRATCH),--scratch-path $(SCRATCH))
$(addprefix test/,$(TESTED)): test/%:
	scripts/swiftpm build --build-tests $(NESTED)
	scripts/run-tests swift test --skip-build $(NESTED) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

# For .ci/run, which builds nested packages in `.build/quick`.
traits:
	@echo '$(QUICK_TRAITS),$(HEAVY_TRAITS)'

# The nested packages that test/… tests, for .ci/run, which times each.
tested:
	@printf '%s\n' $(TESTED)

fuzz: bootstrap ## feed random documents to all readers of JSON and GraphQL, under AddressSanitizer, 30 s for each target
	@scripts/fuzz

fuzz/transports: export WHARF_RUNS := 10000
fuzz/transports: built/heavy ## send 10,000 mutated answers to each transport over real sockets; make test sends 1,000
	scripts/run-tests swift test --skip-build $(QUICK) $(BOTH) $(FEW_AT_A_TIME) --filter 'AnswerFuzzTests/.*GivesNoWrongAnswer'

# Optimised: a schedule then costs a tenth. The tests take the seeds from WHARF_SEEDS.
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

lint: ## check the format of every Swift file
	@scripts/swift-files | xargs -0 swift format lint --strict --parallel

format: ## bring every Swift file into format
	@scripts/swift-files | xargs -0 swift format format --in-place --parallel

docs: bootstrap built/heavy built/macros ## check the claims of the prose, and build the documentation into .build/docs
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
