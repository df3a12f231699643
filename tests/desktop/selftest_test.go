//go:build desktoptest

package desktop

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/faustine-ai/countersign/tests/desk"
)

type selfTested struct {
	Engine         string
	Passed, Failed int
	Checks         []struct {
		Group, Claim, Tried, Answered string
		Passed                        bool
	}
}

// selfTest runs the program's own self-test, without this desktop's screen.
func selfTest(t *testing.T, variables ...string) (selfTested, string, error) {
	t.Helper()
	cmd := exec.Command(desk.Binary, "selftest", "--headless", "--json")
	cmd.Env = append(slices.Clone(desk.Environment), variables...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, failed := cmd.Output()
	var result selfTested
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("%v in %.500q, stderr %s", err, out, stderr.String())
	}
	return result, stderr.String(), failed
}

func TestTheSelfTestPasses(t *testing.T) {
	result, stderr, err := selfTest(t)
	if err != nil {
		t.Errorf("%v: %s", err, stderr)
	}
	if len(result.Checks) < 60 || result.Passed != len(result.Checks) || result.Failed != 0 || result.Engine == "" {
		t.Errorf("%d of %d checks passed, %d failed, in %q", result.Passed, len(result.Checks), result.Failed, result.Engine)
	}
	for _, check := range result.Checks {
		if !check.Passed || check.Group == "" || check.Claim == "" || check.Tried == "" || check.Answered == "" {
			t.Errorf("%+v", check)
		}
	}
}

func TestTheSelfTestFailsWithoutThePolicy(t *testing.T) {
	result, stderr, err := selfTest(t, "COUNTERSIGN_TEST_NO_POLICY=1")
	if err == nil {
		t.Fatal("exit 0 though the frame has no policy")
	}
	if !strings.Contains(stderr, "checks failed") {
		t.Errorf("stderr: %s", stderr)
	}
	failed := map[string]bool{}
	for _, check := range result.Checks {
		if !check.Passed {
			failed[check.Claim] = true
		}
	}
	// Both that the policy is missing and what gets out without it.
	for _, claim := range []string{
		"the frame’s policy is in force as a response header", "the same policy stands in the document", "a dynamic import reaches nothing",
	} {
		if !failed[claim] {
			t.Errorf("“%s” passed without a policy; failed: %v", claim, failed)
		}
	}
}
