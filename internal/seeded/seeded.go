// Package seeded turns an identity into a number in [0, 1), the same one every
// time. Everything brunt decides by chance is decided here, from a seed and the
// identity of what is decided about, never by a draw from a shared generator:
// asking twice gives the same answer, and parallelism changes nothing.
package seeded

import (
	"encoding/binary"
	"strconv"
)

// Unit returns the number in [0, 1) of ordinal i (from 0) under seed.
//
// The arithmetic is 32-bit and wraps: a golden-ratio step spreads the ordinals,
// two rounds of the Murmur3 finalizer mix them. It is part of the file formats:
// a seed written down today must choose the same requests in every later version.
func Unit(seed, i uint32) float64 {
	return float64(mix(seed^((i+1)*golden))) / (1 << 32)
}

// UnitKey returns the number in [0, 1) of key under seed. A key that is an
// ordinal in plain decimal, such as "17", has the number of that ordinal, so
// that an index in a query string and the same index in a loop agree. Any other
// key is hashed.
func UnitKey(seed uint32, key string) float64 {
	return Unit(seed, Ordinal(key))
}

// Ordinal is the ordinal UnitKey gives key.
func Ordinal(key string) uint32 {
	if n, err := strconv.ParseUint(key, 10, 32); err == nil && strconv.FormatUint(n, 10) == key {
		return uint32(n)
	}
	return fold(hash(key))
}

// Seed folds a seed of 64 bits into the 32 that decide. Seeds below 2^32 stay
// as they are.
func Seed(seed uint64) uint32 { return fold(seed) }

// Derive returns the seed of a part of something that has a seed: of a proxy
// and a toxic, of an attempt of a request. Other parts, or the same parts in
// another order, give unrelated seeds; no parts give the seed itself.
func Derive(seed uint32, parts ...string) uint32 {
	for _, part := range parts {
		seed = mix(seed ^ fold(hash(part))*golden)
	}
	return seed
}

// Trace returns 16 bytes that identify ordinal i under seed: a W3C trace id
// that a replay of the run gives again. It is never all zero, which W3C trace
// context forbids.
func Trace(seed uint32, i uint32) [16]byte {
	var id [16]byte
	for word := range uint32(4) {
		x := mix(seed ^ ((i + 1) * golden) ^ (word+1)*0x7feb352d)
		binary.BigEndian.PutUint32(id[4*word:], x)
	}
	id[15] |= 1
	return id
}

// golden is 2^32 divided by the golden ratio: multiples of it spread evenly.
const golden = 0x9e3779b1

// mix is the finalizer of Murmur3: every bit of x moves every bit of the result.
func mix(x uint32) uint32 {
	x = (x ^ x>>16) * 0x85ebca6b
	x = (x ^ x>>13) * 0xc2b2ae35
	return x ^ x>>16
}

// hash is FNV-1a of 64 bits, spelled out because hash/fnv allocates.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

func fold(x uint64) uint32 { return uint32(x) ^ uint32(x>>32) }
