// Command bench measures brunt beside its peers, in one run.
package main

func main() {}
