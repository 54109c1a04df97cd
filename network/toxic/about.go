package toxic

// abouts say what each kind does, in a few words. A new toxic gets a line here
// too.
func abouts() map[string]string {
	return map[string]string{
		"latency":    "delays bytes and the end of the stream",
		"bandwidth":  "limits the rate of bytes",
		"slow_close": "holds back the end of the stream",
		"timeout":    "holds everything back, then closes the connection",
		"blackhole":  "drops every byte; the connection stays open and silent",
		"reset_peer": "resets the connection",
		"slicer":     "cuts what is sent into small pieces",
		"limit_data": "closes the connection when so many bytes have passed",
		"corrupt":    "flips bits",
		"noop":       "changes nothing, and counts what passes",
		"down":       "makes the server look as if it were not there",
	}
}

// About says what toxics of a kind do, in a few words for a list to choose from.
// It is empty for a kind Parse does not know.
func About(kind string) string { return abouts()[kind] }
