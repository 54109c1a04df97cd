# Two commands do everything: `make demo` shows what brunt is for, `make test`
# runs all tests and brings what they need. `make` alone lists the rest.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MODULES := $(shell find . -name go.mod -not -path './tools/*' -not -path '*/testdata/*' | sort | xargs -n1 dirname)
TOOL := GOWORK=off go tool -modfile=$(CURDIR)/tools/go.mod

.PHONY: help demo test check bench golden fuzz vuln
help: ## list these targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/'

demo: ## break a real loan service three ways and read the verdict
	@go run ./cmd/brunt demo

test: ## install what the tests need, then run them all with the race detector
	@./test/setup
	@# Built side by side, run one after another: some measure time on this machine.
	go test -race -run '^$$' work >/dev/null
	go test -race -p 1 work

check: ## formatting, vet, linters, tidy modules, docs
	@out=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$out" ] || { echo "not gofmt-clean: $$out"; exit 1; }
	@for m in $(MODULES); do echo "check $$m"; (cd $$m && go vet ./... && GOWORK=off go build ./... && GOWORK=off go mod tidy -diff); done
	@for m in $(MODULES); do (cd $$m && $(TOOL) golangci-lint run --config $(CURDIR)/.golangci.yml ./...); done
	@GOOS=windows go build work && GOOS=darwin go build work

bench: ## figures beside the named peers, in one run
	@./bench/setup
	@go run ./bench
	@go run ./bench/fault
	@go run ./bench/http
	@go run ./bench/httpserver
	@go run ./bench/conn

golden: ## write the golden files anew; review the diff before committing it
	go test $$(git grep -l internal/golden -- '*_test.go' | xargs -n1 dirname | sort -u | grep -v internal/golden | sed 's|^|./|') -update

vuln: ## look every dependency up in the vulnerability database (needs the Internet)
	@for m in $(MODULES); do (cd $$m && $(TOOL) govulncheck ./...); done

fuzz: ## every fuzz target for a while (FUZZTIME=30s)
	@./test/fuzz $${FUZZTIME:-30s}
