// Package scenario writes and reads scenarios for people: rules in one line of
// words, a baggage header's value ready to send, which rule each point would
// meet, and what would be dropped on the way.
package scenario
