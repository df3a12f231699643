//go:build packagetest

package package_

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inRoot runs a script in a root of its own, with what programs expect mounted
// there for as long as the script runs.
func inRoot(t *testing.T, root, script string) (string, error) {
	t.Helper()
	const mounts = `set -e
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
exec chroot "$1" /bin/sh -ec "$2"`
	cmd := exec.CommandContext(t.Context(), "unshare", "--mount", "--fork", "--pid", "--kill-child", "/bin/sh", "-c", mounts, "sh", root, script)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestTheDebInstallsInACleanRootAndTheMenuPlaysTheDemo(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("a clean root can be made by root only")
	}
	root := filepath.Join(t.TempDir(), "root")
	output(t, "debootstrap", "--variant=minbase", "bookworm", root, "http://deb.debian.org/debian")
	deb, err := os.ReadFile(one(t, "*.deb"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "countersign.deb"), deb, 0o644); err != nil {
		t.Fatal(err)
	}
	// Nothing but what it depends on; xvfb since there is no screen.
	if out, err := inRoot(t, root, "apt-get install -q -y -o Acquire::Retries=5 --no-install-recommends /countersign.deb xvfb"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	entry, err := os.ReadFile(filepath.Join(root, "usr/share/applications/countersign.desktop"))
	if err != nil {
		t.Fatal(err)
	}
	_, action, _ := strings.Cut(string(entry), "[Desktop Action demo]")
	_, command, _ := strings.Cut(action, "\nExec=")
	command, _, _ = strings.Cut(command, "\n")
	if command == "" {
		t.Fatalf("the menu has no entry for the demo:\n%s", entry)
	}
	out, err := inRoot(t, root, command+" --headless")
	if err != nil || !strings.Contains(out, "the log verifies") {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	if out, err := inRoot(t, root, "apt-get purge -q -y countersign && ! find / -xdev -path /proc -prune -o -iname '*countersign*' -print | grep -v '^/countersign.deb$\\|^/var/\\|^/root/\\|^/tmp/'"); err != nil {
		t.Errorf("after its removal these are left: %v\n%s", err, out)
	}
}

// The lists of packages of a system say whether it has all that ours wants.
func TestTheDebHasItsDependenciesOnEverySystemThatItIsFor(t *testing.T) {
	deb := one(t, "*.deb")
	for name, source := range map[string]string{
		"Debian 12":    "http://deb.debian.org/debian bookworm main",
		"Debian 13":    "http://deb.debian.org/debian trixie main",
		"Ubuntu 24.04": "http://archive.ubuntu.com/ubuntu noble main universe",
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for _, folder := range []string{"etc/preferences.d", "etc/apt.conf.d", "state/lists/partial", "cache/archives/partial"} {
				if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			// Nothing of it is installed, so nobody need vouch for the lists.
			for file, text := range map[string]string{"etc/sources.list": "deb [trusted=yes] " + source + "\n", "status": ""} {
				if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			apt := func(args ...string) string {
				options := []string{"-q", "-o", "Dir::Etc=" + root + "/etc", "-o", "Dir::State=" + root + "/state", "-o", "Dir::State::status=" + root + "/status",
					"-o", "Dir::Cache=" + root + "/cache", "-o", "Debug::NoLocking=1", "-o", "Acquire::Languages=none", "-o", "APT::Sandbox::User=root"}
				return output(t, "apt-get", append(options, args...)...)
			}
			apt("update")
			if out := apt("-s", "install", "--no-install-recommends", deb); !strings.Contains(out, "Inst countersign ") {
				t.Errorf("it would not be installed:\n%s", out)
			}
		})
	}
}
