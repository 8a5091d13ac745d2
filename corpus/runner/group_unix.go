//go:build unix

package runner

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the child a process group of its own, so that what it starts
// (a shell, npx, go run) can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the child and all that it has started.
func killGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
