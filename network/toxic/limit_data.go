package toxic

// LimitData ends the connection when so many bytes have passed: exactly so many
// arrive.
type LimitData struct {
	// Bytes is how many pass, counted from when the toxic began to work on the
	// connection; a change of the toxic keeps the count. With 0 the first byte
	// ends it. From 0 to MaxBytes. Default: 0.
	Bytes int64
	// Close says how it ends, "fin" or "rst". Default: fin.
	Close string
}

var _ Toxic = (*LimitData)(nil)

const (
	closeFIN = "fin"
	closeRST = "rst"
)

// Kind implements Toxic.
func (*LimitData) Kind() string { return "limit_data" }

// Attributes implements Toxic.
func (l *LimitData) Attributes() []Attribute {
	return []Attribute{
		Int("bytes", &l.Bytes, 0, MaxBytes).In("bytes"),
		Choice("close", &l.Close, closeFIN, closeRST),
	}
}

// Arm implements Toxic.
func (l *LimitData) Arm() Start {
	bytes, end := l.Bytes, EndClose
	if l.Close == closeRST {
		end = EndReset
	}
	return func(site Site) Stage {
		if bytes > 0 && site.Passed >= bytes {
			return holding{at: site.Left, end: end}
		}
		return StageFunc(func(c Chunk) Step {
			left := site.Offset + bytes - c.Offset
			switch {
			case c.End != EndNone || int64(len(c.Data)) < left:
				return Step{}
			case left <= 0:
				return Step{Drop: true, End: end}
			default:
				return Step{Size: int(left), End: end}
			}
		})
	}
}
