package telemetry

import (
	"crypto/tls"
	"crypto/x509"
	"strings"
)

// certificates reads the files of the collector's certificates. A file is read once,
// at the start.
func (v *variables) certificates(prefix string, into *OTLP) {
	roots, hasRoots := v.file(prefix + "CERTIFICATE")
	cert, hasCert := v.file(prefix + "CLIENT_CERTIFICATE")
	key, hasKey := v.file(prefix + "CLIENT_KEY")
	if !hasRoots && !hasCert && !hasKey {
		return
	}
	config := into.TLS.Clone() // the App's own stays as it is
	if config == nil {
		config = &tls.Config{}
	}
	if hasRoots {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(roots) {
			v.bad(prefix+"CERTIFICATE", v.lookup(prefix+"CERTIFICATE"), "a file with certificates in PEM")
		}
	}
	if hasCert || hasKey {
		pair, err := tls.X509KeyPair(cert, key)
		if err != nil {
			v.bad(prefix+"CLIENT_CERTIFICATE", v.lookup(prefix+"CLIENT_CERTIFICATE"),
				"a file with a certificate in PEM, and "+prefix+"CLIENT_KEY the file with its key: "+err.Error())
		}
		config.Certificates = []tls.Certificate{pair}
	}
	into.TLS = config
}

func (v *variables) file(name string) ([]byte, bool) {
	path, ok := v.get(name)
	if !ok {
		return nil, false
	}
	if strings.Contains(path, "-----BEGIN") { // a key is not to get into the logs
		v.bad(name, "", "the name of a file with PEM, and not the PEM itself")
		return nil, false
	}
	data, err := v.readFile(path)
	if err != nil {
		v.bad(name, path, "a file that can be read: "+err.Error())
		return nil, false
	}
	return data, true
}
