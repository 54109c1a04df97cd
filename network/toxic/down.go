package toxic

// Down makes a server look as if it were not there. What of it is about a
// listener, package proxy does: a connection that is already open knows only
// "rst".
type Down struct {
	// Mode says how: "refuse", where connections are refused and those that
	// are open are closed; "rst", where they are accepted and reset, and open
	// ones are too; "mirror", where connections are refused while the upstream
	// refuses them. Default: refuse.
	Mode string
}

var _ Toxic = (*Down)(nil)

// The modes of Down.
const (
	DownRefuse = "refuse"
	DownRST    = "rst"
	DownMirror = "mirror"
)

// Kind implements Toxic.
func (*Down) Kind() string { return "down" }

// Attributes implements Toxic.
func (d *Down) Attributes() []Attribute {
	return []Attribute{Choice("mode", &d.Mode, DownRefuse, DownRST, DownMirror)}
}

// Arm implements Toxic.
func (d *Down) Arm() Start {
	if d.Mode == DownRST {
		return new(ResetPeer).Arm()
	}
	return new(Noop).Arm()
}
