# One word for each thing one does here. The lists of packages are read from the folders: a nested package that appears is
# tested, linted and cleaned without a change to this file.

# SwiftPM gives every trait to the compiler as a flag, so another set of traits builds everything anew. Three sets, three folders:
# `quick` needs no heavy package and is the loop of every day; `heavy` has SwiftNIO and BoringSSL too; `macros` has swift-syntax.
# Macros are apart because SwiftPM builds a bundle that tests one for the host's tools, under other names: whatever else is in that
# bundle is compiled a second time.
QUICK_TRAITS := SQLite,TestServer,KillHarness,Sendmail
HEAVY_TRAITS := $(QUICK_TRAITS),Encryption,OpenCombine,AsyncHTTPClient,Cast,Observability,ServiceLifecycle
# Writing the index takes a third of a build. Tests/XCTMain.swift says how `swift test` does without.
NO_INDEX := --disable-index-store
# Debug information takes a quarter of a build. For a debugger: make t ONLY=… NO_DEBUG_INFO=
NO_DEBUG_INFO := -debug-info-format none
LEAN := $(NO_INDEX) $(NO_DEBUG_INFO)
QUICK := --scratch-path .build/quick --traits $(QUICK_TRAITS) $(LEAN)
HEAVY := --scratch-path .build/heavy --traits $(HEAVY_TRAITS) $(LEAN)
# SwiftPM can't plan a bundle that has both tests of macros and an entry point of ours, so it makes one here, from the index.
MACROS := --scratch-path .build/macros --traits Macros --enable-test-discovery $(NO_DEBUG_INFO)
MACROS_TESTS := WharfMacrosTests
# Empty without one of the heavy packages. WharfStoresTests runs a second time, with encryption.
HEAVY_TESTS := WharfAsyncHTTPClientTests WharfCastTests WharfCombineTests WharfObservabilityTests WharfServiceLifecycleTests
QUICK_TESTS := $(filter-out $(HEAVY_TESTS) $(MACROS_TESTS),$(notdir $(wildcard Tests/Wharf*Tests)))
BOOTSTRAP := scripts/bootstrap
EXAMPLE := Examples/Quickstart
TRACKER := Examples/Tracker
# Of tests; all of them unless it says which.
FILTER ?=
# The test targets that `t` builds and runs, divided by commas.
ONLY ?=
# Where `install` puts things; DESTDIR goes before it.
PREFIX ?= /usr/local
DESTDIR ?=

# The test bundles of this package: built, and run.
BUNDLES := built/quick built/heavy built/macros test/quick test/heavy test/macros
# Nested packages; those with a folder Tests are tested.
PACKAGES := $(patsubst %/Package.swift,%,$(wildcard Tools/Package.swift Examples/*/Package.swift Benchmarks/Package.swift \
	Tests/*/Package.swift))
TESTED := $(foreach package,$(PACKAGES),$(if $(wildcard $(package)/Tests),$(package)))

.PHONY: help bootstrap run list tracker test test-all $(BUNDLES) t tested fuzz fuzz/transports simulate bench lint format docs snippets install uninstall clean $(addprefix test/,$(TESTED))

help: ## what can be made (this)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

bootstrap: ## check for what Wharf is built with, and install what is missing
	@$(BOOTSTRAP)

run: bootstrap ## read, kill the service, read again, edit, bring it back: the example in Examples/Quickstart
	@scripts/quietly "Building $(EXAMPLE); the first time takes a minute or two" \
		scripts/swiftpm build $(LEAN) --package-path $(EXAMPLE)
	@swift run $(LEAN) --package-path $(EXAMPLE) --skip-build --quiet Quickstart

list: bootstrap ## show a list over a service that dies and comes back: the example Listing in Examples/Quickstart
	@scripts/quietly "Building $(EXAMPLE); the first time takes a minute or two" \
		scripts/swiftpm build $(LEAN) --package-path $(EXAMPLE)
	@swift run $(LEAN) --package-path $(EXAMPLE) --skip-build --quiet Listing

# In the folder of the other example, whose traits are the same: Wharf is compiled once for both.
tracker: bootstrap ## an issue tracker: pages, offline changes, restart, search, conflict: the example Examples/Tracker
	@scripts/quietly "Building $(TRACKER); the first time takes a minute or two" \
		scripts/swiftpm build $(LEAN) --package-path $(TRACKER) --scratch-path $(EXAMPLE)/.build
	@swift run $(LEAN) --package-path $(TRACKER) --scratch-path $(EXAMPLE)/.build --skip-build --quiet TrackerDemo

test: bootstrap test/quick ## test what needs no heavy package: 95 of 100 tests

test-all: bootstrap test/quick test/heavy test/macros $(addprefix test/,$(TESTED)) ## test everything: the rest of the package, then each nested one

# A few at a time where `swift test` can do that: it starts all at once, and those that wait for real time get too little of it.
FEW := --experimental-maximum-parallelization-width
FEW_AT_A_TIME = $(if $(findstring $(FEW),$(shell swift test --help-hidden)),$(FEW) 8)
SELECTED = $(if $(FILTER),--filter '$(FILTER)')
# Both are named, or `swift test` runs XCTest's alone: it takes Tests/XCTMain.swift for a package from before Swift Testing.
BOTH := --enable-swift-testing --enable-xctest
empty :=
comma := ,
list = $(subst $(empty) $(empty),$(comma),$(strip $(1)))

# What was built of Tests/XCTMain.swift. It asks by canImport which targets there are, and the compiler does not ask again by itself.
ENTRY_POINT := .build/quick/debug/WharfPackageTests.build/XCTMain.*

# WHARF_ONLY is read by Package.swift. The product is the bundle of all test targets that are left; unlike --build-tests it leaves
# Snippets alone.
built/quick test/quick: export WHARF_ONLY := $(call list,$(QUICK_TESTS))
built/quick:
	@rm -f $(ENTRY_POINT)
	scripts/swiftpm build $(QUICK) --product WharfPackageTests

built/heavy test/heavy: export WHARF_ONLY := $(call list,$(HEAVY_TESTS) WharfStoresTests)
built/heavy:
	scripts/swiftpm build $(HEAVY) --product WharfPackageTests

built/macros test/macros: export WHARF_ONLY := $(MACROS_TESTS)
built/macros:
	scripts/swiftpm build $(MACROS) --product WharfPackageTests

test/quick: built/quick
	scripts/run-tests swift test --skip-build $(QUICK) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

test/heavy: built/heavy
	scripts/run-tests swift test --skip-build $(HEAVY) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

test/macros: built/macros
	scripts/run-tests swift test --skip-build $(MACROS) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

# The loop while working on one target. What an earlier build left of the targets with tests of XCTest would answer canImport, and the
# bundle would lack what Tests/XCTMain.swift then names.
XCTEST_TARGETS := WharfDependenciesTests WharfTestingTests
LEFT_OUT = $(filter-out $(subst $(comma), ,$(ONLY)),$(XCTEST_TARGETS))
t: export WHARF_ONLY := $(ONLY)
t: ## build and run one test target with its dependencies: make t ONLY=WharfCacheTests
	@test -n '$(ONLY)' || { echo 'make t: name a test target, for example: make t ONLY=WharfCacheTests' >&2; exit 2; }
	@rm -f $(ENTRY_POINT) $(patsubst %,.build/quick/debug/Modules/%.swiftmodule,$(LEFT_OUT))
	scripts/swiftpm build $(QUICK) --product WharfPackageTests
	scripts/run-tests swift test --skip-build $(QUICK) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

# A nested package with an entry point of its own needs no index either. CI gives it the folder of another build: the packages that
# both have are compiled once.
SCRATCH ?=
NESTED = $(if $(wildcard $*/Tests/XCTMain.swift),$(NO_INDEX)) $(NO_DEBUG_INFO) --package-path $* $(if $(SCRATCH),--scratch-path $(SCRATCH))
$(addprefix test/,$(TESTED)): test/%:
	scripts/swiftpm build --build-tests $(NESTED)
	scripts/run-tests swift test --skip-build $(NESTED) $(BOTH) $(FEW_AT_A_TIME) $(SELECTED)

# The nested packages that test/… tests, for .ci/run, which times each.
tested:
	@printf '%s\n' $(TESTED)

fuzz: bootstrap ## feed random documents to all that reads JSON or GraphQL, under AddressSanitizer, 30 s for each target
	@scripts/fuzz

fuzz/transports: export WHARF_RUNS := 10000
fuzz/transports: ## send 10,000 mutated answers to each transport over real sockets; make test sends 1,000
	@$(MAKE) --no-print-directory test/quick test/heavy FILTER='AnswerFuzzTests/.*GivesNoWrongAnswer'

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

docs: bootstrap built/quick built/heavy built/macros ## check what the prose claims, and build the documentation into .build/docs
	@scripts/claims
	@scripts/docs

snippets: bootstrap built/quick built/heavy built/macros ## build and run each piece in Snippets and compare what it prints
	@TRAITS='$(HEAVY_TRAITS),Macros' scripts/snippets

install: ## install wharf and annotate-git-commit, manual pages and completions into /usr/local, or into PREFIX=…
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install

uninstall: ## remove what make install has put there
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install --uninstall

clean: ## remove everything that was built
	rm -rf .build Fuzz/.build $(addsuffix /.build,$(PACKAGES))
