// Command brunt breaks requests on purpose and says whether a service bore it.
package main

func main() {}
