# Countersign: make run, make test, make build, make lint. README.md says more.

SHELL := /bin/sh
.DEFAULT_GOAL := build
TAGS  := desktop,production,webkit2_41,sqlite_fts5
CACHE := build/cache

# Go's own checks of what its tools run on, pinned like every dependency.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

SANDBOX_SOURCES  := $(shell find sandbox/src -type f 2>/dev/null) sandbox/build.mjs sandbox/package.json
FRONTEND_SOURCES := $(shell find frontend/src -type f 2>/dev/null) frontend/index.html frontend/vite.config.ts frontend/tsconfig.json

.PHONY: run test build lint screenshots setup setup-test clean bench kills package windows licences sbom supply icons

## run: play the demo, in a window, or as a transcript where there is no display
run: build
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then \
	  exec build/bin/countersign demo cancel-orders; \
	else \
	  exec build/bin/countersign demo cancel-orders --headless --decide approve; \
	fi

## build: the app (build/bin/countersign) and the library (sandbox/dist)
build: setup sandbox/dist/index.js frontend/dist/index.html
	go build -tags $(TAGS) -trimpath -o build/bin/countersign .

## test: everything; the last line sums up what passed and failed
test: setup-test $(CACHE)/bench-modules sandbox/dist/index.js frontend/dist/index.html
	@node build/testing/all.mjs $(SUITES)

## bench: library and app against floors and peers, into tests/bench/RESULTS.md (about ten minutes)
bench: setup-test $(CACHE)/bench-modules sandbox/dist/index.js frontend/dist/index.html
	@node tests/bench/bench.mjs

## package: the .deb and the tarball, in build/out
package: setup-package sandbox/dist/index.js frontend/dist/index.html
	build/packaging/package.sh build/out

## windows: the app for Windows, cross-built, with its installer, in build/out
windows: setup-package sandbox/dist/index.js frontend/dist/index.html
	build/packaging/windows.sh build/out

## licences: the licences of everything that is in the program
licences: setup
	@go run ./build/packaging/licences $(TAGS)

## sbom: the bill of materials of the program, as CycloneDX
sbom: build
	@build/packaging/sbom.sh build/bin/countersign

## supply: whether what comes from others is pinned, and is what it was
supply: setup
	go test -count=1 ./tests/supply

## icons: every size of the icon, from build/appicon.svg (wants rsvg-convert and ImageMagick)
icons:
	build/packaging/icons.sh

## kills: the kill campaign, 200 times (about twenty minutes); make test has ten
kills: setup-test sandbox/dist/index.js frontend/dist/index.html
	COUNTERSIGN_KILLS=200 go test -tags $(TAGS),desktoptest -run TestAKilledProgram -timeout 2h -v ./tests/faults

## lint: formatting, vet, staticcheck, biome and the type checks
lint: setup $(CACHE)/bench-modules sandbox/dist/index.js frontend/dist/index.html
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	  if [ -n "$$unformatted" ]; then echo "not formatted with gofmt: $$unformatted" >&2; exit 1; fi
	go vet -tags $(TAGS) ./...
	go vet -tags $(TAGS),desktoptest,packagetest ./...
	go run $(STATICCHECK) -tags $(TAGS),desktoptest,packagetest ./...
	cd sandbox && npm run --silent lint && npm run --silent types && npm run --silent test:types
	cd frontend && npm run --silent lint
	cd tests/bench && npm run --silent lint && npm run --silent types

## screenshots: take the pictures of build/screenshots again (wants ImageMagick)
screenshots: build
	build/screenshots.sh

## setup: Debian packages (as root), npm packages and Go modules, when missing
setup: $(CACHE)/packages $(CACHE)/sandbox-modules $(CACHE)/frontend-modules $(CACHE)/go-modules
setup-test: $(CACHE)/packages-test setup
setup-package: $(CACHE)/packages-package setup

clean:
	rm -rf build/bin build/out $(CACHE) sandbox/dist frontend/dist

$(CACHE)/packages $(CACHE)/packages-test $(CACHE)/packages-package: build/setup/packages.sh
	@mkdir -p $(CACHE)
	build/setup/packages.sh $(or $(patsubst $(CACHE)/packages-%,%,$(filter-out $(CACHE)/packages,$@)),build)
	@touch $@

# Install scripts are not run: nothing here needs one (esbuild's binary comes
# as a package of its own).
$(CACHE)/%-modules: %/package-lock.json
	@mkdir -p $(CACHE)
	cd $* && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null
	@touch $@

$(CACHE)/bench-modules: tests/bench/package-lock.json
	@mkdir -p $(CACHE)
	cd tests/bench && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null
	@touch $@

$(CACHE)/go-modules: go.mod go.sum
	@mkdir -p $(CACHE)
	go mod download
	@touch $@

sandbox/dist/index.js: $(SANDBOX_SOURCES) $(CACHE)/sandbox-modules
	cd sandbox && npm run --silent build
	@touch $@

frontend/dist/index.html: $(FRONTEND_SOURCES) $(CACHE)/frontend-modules sandbox/dist/index.js
	cd frontend && npm run --silent build
	@touch $@
