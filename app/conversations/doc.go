// Package conversations keeps what the person and the assistant said to each
// other: messages, what the run view showed, drafts, and where the person was. It
// is a file of its own beside the log. Nothing here proves anything: deleting a
// conversation takes it away for good, and never touches the log.
package conversations
