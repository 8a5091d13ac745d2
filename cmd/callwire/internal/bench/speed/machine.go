package speed

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Machine is where the measuring was done.
type Machine struct {
	Go     string `json:"go"`
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	CPU    string `json:"cpu,omitempty"` // where the system tells
	CPUs   int    `json:"cpus"`
	JSONv2 bool   `json:"jsonv2"` // encoding/json/v2 is there; encoding/json is then made of it
}

func thisMachine() Machine {
	return Machine{
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpuName("/proc/cpuinfo"),
		CPUs: runtime.NumCPU(), JSONv2: readJSONv2 != nil,
	}
}

// String names the machine: go1.25 on linux, one core of 4: ARM Cortex-A76.
func (m Machine) String() string {
	cpu := m.CPU
	if cpu == "" {
		cpu = m.Arch
	}
	return fmt.Sprintf("%s on %s, one core of %d: %s", m.Go, m.OS, m.CPUs, cpu)
}

// cpuName returns the name of the processor in a file that is like /proc/cpuinfo
// of Linux, or "".
func cpuName(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if key, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
