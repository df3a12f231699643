// Package settings holds what the person has decided about the app: the model,
// what functions may reach, limits, and when to be asked.
//
// The file is JSON with comments and trailing commas, settings.jsonc, which a
// person can edit; the app sees it when it is saved. What is in force is always a
// whole that passed every check:
//
//	the file is right     it is in force, and kept as the last good one
//	the file is missing   the defaults are in force
//	the file has mistakes the last good one stays in force, also after a restart;
//	                      with none, the strictest settings: nothing marked runs
//
// A change that loosens anything is an entry of the log before it takes effect,
// wherever it came from; one that cannot be logged does not take effect.
package settings
