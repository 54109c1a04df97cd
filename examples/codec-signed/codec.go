// Command codec-signed shows a codec of your own whose scenarios are signed and
// expire, with keys that can be rotated while services run. Who can write a
// request's baggage can't make it fail; who holds a key can, for a while.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

// Why a scenario is rejected.
var (
	ErrMalformed  = errors.New("signed scenario: malformed")
	ErrUnknownKey = errors.New("signed scenario: unknown key")
	ErrSignature  = errors.New("signed scenario: wrong signature")
	ErrExpired    = errors.New("signed scenario: expired")
)

// Keys are the keys scenarios are signed with. To rotate them without losing a
// scenario that is under way: first add the new key to every service, then make
// it Current at the edge, and remove the old one everywhere once the lifetime
// has passed.
type Keys struct {
	// Current is the ID of the key that signs. "" for a service that only
	// reads.
	Current string
	// Secrets are the keys that are accepted, by ID. Each has at least 16
	// bytes. An ID has letters and digits.
	Secrets map[string][]byte
}

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Codec carries a scenario, when it expires and who signed it in one baggage
// member:
//
//	<key ID>.<expiry, in Unix seconds>.<the scenario as JSON, base64>.<HMAC-SHA256 of all that, base64>
//
// It is safe for concurrent use. It is no fit.KeyedDecoder: a scenario that was
// good a moment ago may have expired since.
type Codec struct {
	member   string
	lifetime time.Duration
	keys     atomic.Pointer[Keys]
}

var (
	_ fit.Decoder = (*Codec)(nil)
	_ fit.Encoder = (*Codec)(nil)
)

// New returns the Codec of the baggage member named so. What it encodes lives
// for lifetime.
func New(member string, lifetime time.Duration, keys Keys) (*Codec, error) {
	if lifetime < time.Second {
		return nil, fmt.Errorf("lifetime: %v, must be at least 1s", lifetime)
	}
	c := &Codec{member: member, lifetime: lifetime}
	return c, c.Rotate(keys)
}

// Rotate replaces the keys, from the next evaluation on. When they are wrong it
// keeps the ones it has.
func (c *Codec) Rotate(keys Keys) error {
	if _, ok := keys.Secrets[keys.Current]; !ok && keys.Current != "" {
		return fmt.Errorf("current key %q: must be one of the secrets", keys.Current)
	}
	for id, secret := range keys.Secrets {
		if id == "" || strings.ContainsFunc(id, func(r rune) bool {
			return !strings.ContainsRune(letters, r)
		}) {
			return fmt.Errorf("key %q: the ID must be letters and digits", id)
		}
		if len(secret) < 16 {
			return fmt.Errorf("key %q: %d bytes, must be at least 16", id, len(secret))
		}
	}
	keys.Secrets = maps.Clone(keys.Secrets)
	c.keys.Store(&keys)
	return nil
}

// Decode returns the scenario in b, if a known key signed it and it has not
// expired.
func (c *Codec) Decode(b baggage.Baggage) (fit.Scenario, bool, error) {
	m := b.Member(c.member)
	if m.Key() == "" {
		return fit.Scenario{}, false, nil
	}
	s, err := c.verify(m.Value())
	return s, err == nil, err
}

func (c *Codec) verify(value string) (fit.Scenario, error) {
	var none fit.Scenario
	// The signature first: nothing is looked at that nobody vouches for.
	end := strings.LastIndexByte(value, '.')
	if end < 0 {
		return none, ErrMalformed
	}
	signed, mac := value[:end], value[end+1:]
	parts := strings.Split(signed, ".")
	if len(parts) != 3 {
		return none, ErrMalformed
	}
	secret, ok := c.keys.Load().Secrets[parts[0]]
	if !ok {
		return none, ErrUnknownKey
	}
	if !hmac.Equal([]byte(mac), []byte(sign(secret, c.member, signed))) {
		return none, ErrSignature
	}
	expiry, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return none, ErrMalformed
	}
	if !time.Now().Before(time.Unix(expiry, 0)) {
		return none, ErrExpired
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return none, ErrMalformed
	}
	return jsonscenario.Parse(string(text))
}

// Strip removes the member from b.
func (c *Codec) Strip(b baggage.Baggage) baggage.Baggage { return b.DeleteMember(c.member) }

// Encode writes s into b, signed with the current key.
func (c *Codec) Encode(b baggage.Baggage, s fit.Scenario) (baggage.Baggage, error) {
	keys := c.keys.Load()
	if keys.Current == "" {
		return b, errors.New("signed scenario: there is no key to sign with")
	}
	text, err := jsonscenario.Format(s)
	if err != nil {
		return b, err
	}
	expiry := time.Now().Add(c.lifetime).Unix()
	signed := keys.Current + "." + strconv.FormatInt(expiry, 10) + "." + base64.RawURLEncoding.EncodeToString([]byte(text))
	m, err := baggage.NewMemberRaw(c.member, signed+"."+sign(keys.Secrets[keys.Current], c.member, signed))
	if err != nil {
		return b, err
	}
	return b.SetMember(m)
}

// sign covers the member's name too, so that what is signed for one can't be
// moved to another.
func sign(secret []byte, member, signed string) string {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(member + "=" + signed))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}
