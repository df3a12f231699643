// Package keys finds the keys that model servers ask for. They are looked for in
// this order, and the first that is there counts:
//
//	environment  COUNTERSIGN_API_KEY_<PROVIDER>, or the provider's usual name when
//	             its own service is asked
//	file         keys.json, readable by its owner only; made only for somebody who
//	             chose it, because there is no keychain
//	keychain     the system's, through the Secret Service on Linux
//
// A key belongs to the place that it was given for: pointing a provider at another
// server does not send it there. Keys reach the forwarder and nobody else; a Secret
// prints as nothing and marshals as nothing.
package keys
