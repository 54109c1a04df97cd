package planfile

import "testing"

func TestEither(t *testing.T) {
	t.Parallel()
	for want, in := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := either(in); got != want {
			t.Errorf("either(%q) = %q, want %q", in, got, want)
		}
	}
}
