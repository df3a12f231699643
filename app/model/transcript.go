package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// transcript is what a model said once, written down: turns of which the first
// that fits is played.
type transcript struct {
	Title     string   `json:"title"`
	Notice    string   `json:"notice"`
	Request   string   `json:"request"`
	Ends      []string `json:"ends"`
	Approval  string   `json:"approval"`  // left out: batch
	Decide    string   `json:"decide"`    // left out: approve
	Functions []string `json:"functions"` // left out: orders
	Restarts  bool     `json:"restarts"`
	Turns     []turn   `json:"turns"`
}

// turn is one answer of the model: a text, and a program to run or none.
type turn struct {
	After   string    `json:"after"` // "request" or "output" of the program
	When    condition `json:"when"`
	Say     string    `json:"say"` // a text/template on the program's output
	Program string    `json:"program"`

	code string
	say  *template.Template
}

// condition chooses a turn by the program's output. What is left out fits.
type condition struct {
	Status []string `json:"status"` // one of these
	Some   []string `json:"some"`   // members of the value that are lists with entries
	None   []string `json:"none"`   // members of the value that are empty lists
	Has    []string `json:"has"`    // members that the value has
}

func (t *transcript) scene(name string) Scene {
	functions := t.Functions
	if len(functions) == 0 {
		functions = []string{"orders"}
	}
	return Scene{
		Name: name, Title: t.Title, Notice: t.Notice, Request: t.Request, Ends: t.Ends,
		Approval: cmp.Or(t.Approval, "batch"), Decide: cmp.Or(t.Decide, "approve"),
		Functions: functions, Restarts: t.Restarts,
	}
}

// check refuses what would make a scene that nobody can understand or judge.
func (t *transcript) check() error {
	if t.Title == "" || t.Request == "" || len(t.Ends) == 0 || len(t.Turns) == 0 {
		return errors.New("expected a title, a request, how its runs end, and turns")
	}
	for _, end := range t.Ends {
		if !slices.Contains([]string{"ok", "error", "limit"}, end) {
			return fmt.Errorf("ends: expected ok, error or limit, got %q", end)
		}
	}
	if !slices.Contains([]string{"", "each", "batch", "never"}, t.Approval) {
		return fmt.Errorf("approval: expected each, batch or never, got %q", t.Approval)
	}
	return nil
}

// parse checks the turn and prepares its text.
func (t *turn) parse() (err error) {
	if t.After != "request" && t.After != "output" {
		return fmt.Errorf(`after: expected "request" or "output", got %q`, t.After)
	}
	t.say, err = template.New("say").Option("missingkey=error").Funcs(template.FuncMap{
		"list": list, "count": count, "one": func(v any) bool { return len(entries(v)) == 1 }, "reason": reason, "cell": cell,
	}).Parse(t.Say)
	return err
}

// text is what the turn says about an output.
func (t *turn) text(output map[string]any) (string, error) {
	var said strings.Builder
	err := t.say.Execute(&said, output)
	return said.String(), err
}

// afterRequest returns the turn that answers a request, or nil when the
// transcript does not know it.
func (t *transcript) afterRequest(request string) *turn {
	if plain(request) != plain(t.Request) {
		return nil
	}
	return t.first("request", nil)
}

// afterOutput returns the turn that answers what a program gave.
func (t *transcript) afterOutput(output map[string]any) *turn { return t.first("output", output) }

func (t *transcript) first(after string, output map[string]any) *turn {
	for i := range t.Turns {
		if turn := &t.Turns[i]; turn.After == after && turn.When.fits(output) {
			return turn
		}
	}
	return nil
}

func (c condition) fits(output map[string]any) bool {
	if status, _ := output["status"].(string); len(c.Status) > 0 && !slices.Contains(c.Status, status) {
		return false
	}
	value, _ := output["value"].(map[string]any)
	for _, member := range c.Some {
		if len(entries(value[member])) == 0 {
			return false
		}
	}
	for _, member := range c.None {
		if list, isList := value[member].([]any); !isList || len(list) > 0 {
			return false
		}
	}
	for _, member := range c.Has {
		if _, has := value[member]; !has {
			return false
		}
	}
	return true
}

// plain is a request without what people type differently each time.
func plain(request string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(request), " ")), ".!?")
}

// outputOf reads a tool's output as it came over the wire: the JSON of
// toToolOutput, or a plain text when the tool itself failed.
func outputOf(text string) map[string]any {
	var output map[string]any
	if json.Unmarshal([]byte(text), &output) != nil || output == nil {
		return map[string]any{"status": "error", "error": map[string]any{"message": text}}
	}
	return output
}

func entries(value any) []any {
	list, _ := value.([]any)
	return list
}

// list joins entries for a sentence: 1041, 1047 and 1052.
func list(value any) string {
	words := make([]string, 0, len(entries(value)))
	for _, entry := range entries(value) {
		words = append(words, fmt.Sprint(entry))
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// count is a number of entries with its noun: 3 orders.
func count(value any, one, many string) string {
	if n := len(entries(value)); n != 1 {
		return fmt.Sprintf("%d %s", n, many)
	}
	return "1 " + one
}

// cell is a text as a cell of a Markdown table: what would end it, or mean more
// than itself, does not.
func cell(value any) string {
	text := strings.Join(strings.Fields(fmt.Sprint(value)), " ")
	return "`" + strings.NewReplacer("|", "¦", "`", "'").Replace(text) + "`"
}

// reason is why a run did not end well, as its output says.
func reason(output map[string]any) string {
	failure, _ := output["error"].(map[string]any)
	if message, _ := failure["message"].(string); message != "" {
		return "It said: `" + strings.ReplaceAll(message, "`", "'") + "`"
	}
	if status, _ := output["status"].(string); status != "" {
		return fmt.Sprintf("Its status was %q.", status)
	}
	return ""
}
