//go:build !unix

package runner

import "os/exec"

func ownGroup(*exec.Cmd) {}

// killGroup ends the child; elsewhere it would end what the child has started.
func killGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return cmd.Process.Kill()
}
