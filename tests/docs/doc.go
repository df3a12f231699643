// Package docs tests that what the documents tell people to type exists.
package docs
