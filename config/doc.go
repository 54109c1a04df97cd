// Package config reads what an App is told from outside: environment variables and
// files.
//
// A [Value] says where one thing comes from and what it must look like:
//
//	config.Duration(config.Env(environment, "ORDERS_TIMEOUT")).
//		Default(5 * time.Second).
//		Validate(checkTimeout)
//
// [Struct] reads many at once into a type of your own, and tells all that is wrong
// with them in one error. What is wrong with one is an [*Error]: it names the
// variable, what was found, and what was expected. What a [Value.Secret] holds is in
// no error.
//
// A Value is read when it is asked to, not when it is made. Nothing is found by
// reflection, and the package keeps no state. Every function may be used concurrently.
package config
