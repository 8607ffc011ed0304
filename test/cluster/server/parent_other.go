//go:build !linux

package main

// killStoppedWithParent does nothing: only Linux can end a stopped process with its parent. It ends once it goes on.
func killStoppedWithParent() {}
