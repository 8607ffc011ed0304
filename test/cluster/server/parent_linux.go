package main

import (
	"log"
	"runtime"
	"syscall"
)

// The system forgets the signal when the thread that asked for it ends; the main thread does not.
func init() { runtime.LockOSThread() }

// killStoppedWithParent covers a node that a test has stopped (SIGSTOP): it cannot notice the end of its input.
func killStoppedWithParent() {
	_, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
	if errno != 0 {
		log.Fatalln("the signal for the end of the parent cannot be set:", errno)
	}
}
