// Package mail is a small mailbox for the demos: letters as files, one folder for
// those that came and one for those that were sent. Listing and reading is
// unmarked, sending is marked. Nothing leaves the machine: a letter that is sent
// is a file in the folder “sent”, which is what a demo's check looks at.
package mail
