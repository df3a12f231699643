package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// refusal turns an answer of 400 or more into a sentence that says what to do.
func refusal(t Target, response *http.Response, body []byte, key string) *fault {
	status := response.StatusCode
	f := newFault(status, "")
	words := said(body, key)
	quoted := ""
	if words != "" {
		quoted = " It said: “" + strings.TrimRight(words, ".") + "”."
	}
	f.after = retryAfter(response.Header.Get("Retry-After"), time.Now())
	switch {
	case status == http.StatusUnauthorized && key == "":
		f.text = t.who() + " asks for a key. Set one in Settings › Model." + quoted
	case status == http.StatusUnauthorized:
		f.text = t.who() + " did not accept the key. Set a valid one in Settings › Model." + quoted
	case status == http.StatusPaymentRequired || status == http.StatusTooManyRequests && outOfCredit(body):
		f.text = "The account at " + lower(t.who()) + " has no credit left. Add some there, or choose another model." + quoted
	case status == http.StatusForbidden:
		f.text = t.who() + " does not allow this for your key" + named(t, " and the model ") + "." + quoted
	case status == http.StatusNotFound && t.Name != "":
		f.text = t.who() + " has no model “" + t.Name + "”, or its address is not the one in Settings › Model." + quoted
	case status == http.StatusNotFound:
		f.text = "There is nothing at " + t.Address + ". Check the address in Settings › Model; most servers want it to end with /v1." + quoted
	case status == http.StatusRequestEntityTooLarge:
		f.text = "The conversation is too long for " + lower(t.who()) + ". Begin a new one." + quoted
	case status == http.StatusTooManyRequests:
		f.text = t.who() + " was asked too often. " + wait(f.after) + quoted
		f.again = true
	case status == http.StatusRequestTimeout || status == http.StatusConflict:
		f.text = t.who() + " gave up on the request. Try again." + quoted
		f.again = true
	case status == 529:
		f.text = t.who() + " is overloaded. " + wait(f.after) + quoted
		f.again = true
	case status >= 500:
		f.text = fmt.Sprintf("%s has a problem of its own (status %d). %s%s", t.who(), status, wait(f.after), quoted)
		f.again = status != http.StatusNotImplemented
	default:
		f.text = fmt.Sprintf("%s refused the request (status %d).%s", t.who(), status, quoted)
	}
	return f
}

func named(t Target, before string) string {
	if t.Name == "" {
		return ""
	}
	return before + "“" + t.Name + "”"
}

func lower(who string) string {
	if rest, is := strings.CutPrefix(who, "The "); is {
		return "the " + rest
	}
	return who
}

func wait(after time.Duration) string {
	if after <= 0 {
		return "Wait a little, then try again."
	}
	return "Try again in " + seconds(after) + "."
}

func seconds(d time.Duration) string {
	n := int((d + time.Second - 1) / time.Second)
	switch {
	case n >= 120:
		return strconv.Itoa((n+59)/60) + " minutes"
	case n == 1:
		return "a second"
	}
	return strconv.Itoa(n) + " seconds"
}

// outOfCredit tells, of a 429, that asking again does not help.
func outOfCredit(body []byte) bool {
	var shape struct {
		Error struct {
			Code any    `json:"code"`
			Type string `json:"type"`
		} `json:"error"`
	}
	return json.Unmarshal(body, &shape) == nil && (shape.Error.Code == "insufficient_quota" || shape.Error.Type == "insufficient_quota")
}

// retryAfter reads the header: seconds, or a date.
func retryAfter(text string, now time.Time) time.Duration {
	if text == "" {
		return 0
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 && n < 1e6 {
		return time.Duration(n * float64(time.Second))
	}
	if date, err := http.ParseTime(text); err == nil && date.After(now) {
		return date.Sub(now)
	}
	return 0
}
