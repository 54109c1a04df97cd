package planfile

import "github.com/brunt-go/brunt/judge/experiment"

func readServices(r *reader, p part, e *experiment.Experiment) {
	r.keyed(p, partName, func(name string, p part) {
		s := experiment.Service{Name: name}
		readFields(r, p, serviceFields(), &s)
		e.Services = append(e.Services, s)
	})
}

func serviceFields() []field[experiment.Service] {
	type service = experiment.Service
	return []field[service]{
		{"exec", func(r *reader, p part, s *service) { s.Exec = r.addressWords(p) }},
		{"args", func(r *reader, p part, s *service) { s.Args = r.addressWords(p) }},
		{"env", func(r *reader, p part, s *service) { s.Env = r.addressTexts(p) }},
		{"dir", func(r *reader, p part, s *service) { s.Dir = r.dir(p.node.text) }},
		{"listen", func(r *reader, p part, s *service) { s.Listen = r.address(p) }},
		{"ready", func(r *reader, p part, s *service) { s.Ready = r.refers(p, addresses()) }},
		{"ready_timeout", func(r *reader, p part, s *service) { s.ReadyTimeout = r.time(p) }},
	}
}

func readProxies(r *reader, p part, e *experiment.Experiment) {
	r.keyed(p, partName, func(name string, p part) {
		proxy := experiment.Proxy{Name: name}
		readFields(r, p, proxyFields(), &proxy)
		e.Proxies = append(e.Proxies, proxy)
	})
}

func proxyFields() []field[experiment.Proxy] {
	type proxy = experiment.Proxy
	return []field[proxy]{
		{"listen", func(r *reader, p part, x *proxy) { x.Listen = r.address(p) }},
		{"upstream", func(r *reader, p part, x *proxy) { x.Upstream = r.refers(p, addresses()) }},
		{"protocol", func(*reader, part, *proxy) {}}, // there is one, and the schema knows it
	}
}

func readVariants(r *reader, p part, e *experiment.Experiment) {
	r.keyed(p, partName, func(name string, p part) {
		v := experiment.Variant{Name: name}
		readFields(r, p, variantFields(), &v)
		e.Variants = append(e.Variants, v)
	})
}

func variantFields() []field[experiment.Variant] {
	type variant = experiment.Variant
	return []field[variant]{
		{"truth", func(_ *reader, p part, v *variant) { v.Healthy = p.node.text == "healthy" }},
		{"services", func(r *reader, p part, v *variant) {
			v.Services = map[string]experiment.Override{}
			each(p, func(name string, p part) {
				if !r.services.has(name) {
					r.wrongKey(p, "%s", r.services.missing(name))
				}
				var o experiment.Override
				readFields(r, p, overrideFields(), &o)
				v.Services[name] = o
			})
		}},
	}
}

func overrideFields() []field[experiment.Override] {
	type override = experiment.Override
	return []field[override]{
		{"args", func(r *reader, p part, o *override) { o.Args = r.addressWords(p) }},
		{"env", func(r *reader, p part, o *override) { o.Env = r.addressTexts(p) }},
	}
}
