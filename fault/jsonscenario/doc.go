// Package jsonscenario carries a scenario as JSON in one baggage member, whose
// key you name:
//
//	acme.fault={"rules":[{"point":"http:payments:8443","abort":true},{"point":"*","delay_ms":250}]}
//
// percent-encoded, as W3C Baggage requires. The fields of a rule are
//
//	point      text, required   a point, a prefix and *, or *
//	delay_ms   whole number     milliseconds to wait first, >= 0
//	abort      true or false    end the attempt before it is sent
//	lost       true or false    send it and throw its answer away
//	reply      object           {"status":503,"body":"...","grpc_code":14}
//	attempts   [first, last]    from 1; a last of 0 is no end
//	share      number           the part of the requests, above 0 and at most 1
//	seed       whole number     chooses another part of the same size
//
// Names are exact, a field comes once, null is the same as leaving it out, and
// an unknown field is an error: a typo must not spare its point in silence.
// Errors name the rule's index and the field.
//
// There is no signature and no expiry. Whoever can set a request's baggage can
// write a scenario, so trust comes from where a request came from.
package jsonscenario
