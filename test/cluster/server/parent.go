package main

import (
	"io"
	"os"
)

// endWithParent ends this process when its standard input ends. That is a pipe whose other end only the parent holds,
// so the system closes it however the parent ends, SIGKILL included, and there is no time at which it would be missed.
func endWithParent() {
	killStoppedWithParent()
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
}
