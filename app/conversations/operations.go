package conversations

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/faustine-ai/countersign/app"
	"github.com/faustine-ai/countersign/app/operation"
)

// byID names one conversation.
type byID struct {
	ID string `json:"id"`
}

// Operations are what the page may ask of the store:
//
//	conversation.list    {}                      → [Summary]
//	conversation.read    {id}                    → Conversation
//	conversation.save    Saved                   → {}
//	conversation.rename  {id, title}             → {}
//	conversation.draft   {id, draft}             → {}
//	conversation.delete  {id}                    → {}      conversation.restore {id} takes it back, for a minute
//	conversation.search  {text}                  → [Summary with excerpt]
//	conversation.ofRun   {runId}                 → Summary or null
//	conversation.left    {}                      → what conversation.leave kept, or null
//	conversation.leave   {left: any JSON}        → {}      where the person is
//
// Codes: NotFound, BadRequest, Cancelled, ConversationsUnusable, ConversationsNotKept.
func (s *Store) Operations() []app.Operation {
	return []app.Operation{
		offer(s, "conversation.list", func(ctx context.Context, _ operation.None) (any, error) { return s.List(ctx) }),
		offer(s, "conversation.read", func(ctx context.Context, a byID) (any, error) { return s.Read(ctx, a.ID) }),
		offer(s, "conversation.save", func(ctx context.Context, a Saved) (any, error) {
			if err := checkSaved(a); err != nil {
				return nil, err
			}
			// Also when the page or the app goes in this moment: it is the last that was said.
			return done(s.Save(context.WithoutCancel(ctx), a))
		}),
		offer(s, "conversation.rename", func(ctx context.Context, a struct {
			byID
			Title string `json:"title"`
		}) (any, error) {
			title := strings.TrimSpace(a.Title)
			if title == "" {
				return nil, app.Errorf(app.BadRequest, "conversation.rename: the title is empty; give one, or leave the one that there is")
			}
			return done(s.Rename(ctx, a.ID, title))
		}),
		offer(s, "conversation.draft", func(ctx context.Context, a struct {
			byID
			Draft string `json:"draft"`
		}) (any, error) {
			return done(s.Draft(ctx, a.ID, a.Draft))
		}),
		offer(s, "conversation.delete", func(ctx context.Context, a byID) (any, error) { return done(s.Delete(ctx, a.ID)) }),
		offer(s, "conversation.restore", func(ctx context.Context, a byID) (any, error) { return done(s.Restore(ctx, a.ID)) }),
		offer(s, "conversation.search", func(ctx context.Context, a struct {
			Text string `json:"text"`
		}) (any, error) {
			return s.Search(ctx, a.Text)
		}),
		offer(s, "conversation.ofRun", func(ctx context.Context, a struct {
			RunID string `json:"runId"`
		}) (any, error) {
			return s.OfRun(ctx, a.RunID)
		}),
		offer(s, "conversation.left", func(ctx context.Context, _ operation.None) (any, error) { return s.Left(ctx) }),
		offer(s, "conversation.leave", func(ctx context.Context, a struct {
			Left json.RawMessage `json:"left"`
		}) (any, error) {
			return done(s.Leave(ctx, a.Left))
		}),
	}
}

// offer makes an operation that answers why where the file cannot be used.
func offer[T any](s *Store, name string, do func(context.Context, T) (any, error)) app.Operation {
	return app.Operation{Name: name, Do: func(ctx context.Context, raw json.RawMessage) (any, error) {
		args, err := operation.Args[T](name, raw)
		if err != nil {
			return nil, err
		}
		if s.why != nil {
			return nil, s.why
		}
		answer, err := do(ctx, args)
		return answer, s.told(name, err)
	}}
}

func done(err error) (any, error) { return struct{}{}, err }

// ids are made by the page: short, and nothing that means something elsewhere.
var ids = regexp.MustCompile(`^[0-9A-Za-z-]{1,64}$`)

func checkSaved(a Saved) error {
	if !ids.MatchString(a.ID) {
		return app.Errorf(app.BadRequest, "conversation.save: id is %.80q; expected 1 to 64 letters, digits and hyphens", a.ID)
	}
	for i, m := range a.Messages {
		if len(m.Body) == 0 {
			return app.Errorf(app.BadRequest, "conversation.save: messages[%d] has no body", i)
		}
	}
	for i, r := range a.Runs {
		if r.ToolCallID == "" || len(r.View) == 0 {
			return app.Errorf(app.BadRequest, "conversation.save: runs[%d] needs a toolCallId and a view", i)
		}
	}
	return nil
}
