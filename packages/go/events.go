package identity

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"
)

// maxSilence is the time without data after which a connection counts as lost. The service sends data more often. Only
// tests change it.
var maxSilence = 30 * time.Second

const (
	firstReconnection = 500 * time.Millisecond
	maxReconnection   = 15 * time.Second
)

// Event is an event as webhooks receive it, such as *[UserCreatedEvent]. Use a type switch to get its data. Events of a
// type that this version doesn't know are *[UnknownEvent].
type Event interface {
	GetId() string
	GetType() string
	GetTimestamp() time.Time
	GetOrganization() EventOrganization
}

// UnknownEvent is an event of a type that is newer than this version.
type UnknownEvent struct {
	Id           string            `json:"id"`
	Type         string            `json:"type"`
	Timestamp    time.Time         `json:"timestamp"`
	Organization EventOrganization `json:"organization"`
	Data         json.RawMessage   `json:"data"`
}

func (e *UnknownEvent) GetId() string                      { return e.Id }
func (e *UnknownEvent) GetType() string                    { return e.Type }
func (e *UnknownEvent) GetTimestamp() time.Time            { return e.Timestamp }
func (e *UnknownEvent) GetOrganization() EventOrganization { return e.Organization }

func parseEvent(body []byte) (Event, error) {
	var head struct{ Id, Type string }
	if err := json.Unmarshal(body, &head); err != nil {
		return nil, err
	}
	if head.Id == "" || head.Type == "" {
		return nil, errors.New("the event has no id or type")
	}
	event := newEvent(head.Type)
	return event, json.Unmarshal(body, event)
}

// Typed returns the event of the log as webhooks receive it. Fields of a redacted event that contained personal data have
// their zero value.
func (e *EventResponse) Typed() (Event, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return parseEvent(body)
}

// FollowEvents iterates the events of an organization as they happen. After a lost connection, it continues without gaps or
// duplicates. The iteration ends at the time params.Until, or with an error and a zero event: the error of ctx when ctx is
// done, or an error that a retry can't solve. To continue after a restart, store Position of the last event and pass it as
// params.After.
func (c *Client) FollowEvents(
	ctx context.Context, org string, params *StreamEventsParams, options ...RequestOption,
) iter.Seq2[EventResponse, error] {
	return func(yield func(EventResponse, error) bool) {
		f := follower{client: c, org: org, options: options}
		if params != nil {
			f.params = *params
		}
		f.lastEventID, f.params.After = f.params.After, ""
		for {
			ended, err := f.read(ctx, yield)
			if ended {
				return
			}
			if err != nil {
				err = f.wait(ctx, err)
			}
			if err != nil {
				yield(EventResponse{}, err)
				return
			}
		}
	}
}

// follower has the state of an iteration of events.
type follower struct {
	client      *Client
	org         string
	params      StreamEventsParams
	options     []RequestOption
	lastEventID string
	failures    int
}

// read yields the events of one connection. It returns true if the iteration is over.
func (f *follower) read(ctx context.Context, yield func(EventResponse, error) bool) (bool, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	options := slices.Clone(f.options)
	if f.lastEventID != "" {
		options = append(options, WithHeader("Last-Event-ID", f.lastEventID))
	}
	stream, err := f.client.StreamEvents(ctx, f.org, &f.params, options...)
	if err != nil {
		return false, err
	}
	defer stream.Close()
	silence := time.AfterFunc(maxSilence, cancel)
	defer silence.Stop()
	for message, err := range messages(stream) {
		if err != nil {
			return false, err
		}
		silence.Stop() // The caller's processing time is no silence of the service.
		f.failures = 0
		if message.data != "" {
			var event EventResponse
			if err := json.Unmarshal([]byte(message.data), &event); err != nil {
				yield(event, fmt.Errorf("identity: the event %s is not the expected JSON: %w", message.id, err))
				return true, nil
			}
			if !yield(event, nil) {
				return true, nil
			}
		}
		if message.id != "" {
			f.lastEventID = message.id
		}
		silence.Reset(maxSilence)
	}
	return !f.params.Until.IsZero() && time.Now().After(f.params.Until), nil
}

// wait waits before the next connection. It returns an error that a retry can't solve.
func (f *follower) wait(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	delay := min(maxReconnection, firstReconnection<<min(f.failures, 5))
	f.failures++
	var failure *Error
	if errors.As(err, &failure) {
		if failure.Status < http.StatusInternalServerError && failure.Status != http.StatusTooManyRequests {
			return err
		}
		delay = max(delay, failure.RetryAfter)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(delay):
		return nil
	}
}

// message is a server-sent event. A message without data has only the current position of the stream, as its id.
type message struct{ id, data string }

// messages reads server-sent events until the stream ends.
func messages(stream io.Reader) iter.Seq2[message, error] {
	return func(yield func(message, error) bool) {
		reader := bufio.NewReader(stream)
		var current message
		for {
			line, err := reader.ReadString('\n')
			if err != nil {
				if err != io.EOF {
					yield(message{}, err)
				}
				return
			}
			field, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
			value = strings.TrimPrefix(value, " ")
			switch {
			case field == "id":
				current.id = value
			case field == "data" && current.data == "":
				current.data = value
			case field == "data":
				current.data += "\n" + value
			case field == "" && value == "":
				if !yield(current, nil) {
					return
				}
				current = message{}
			}
		}
	}
}
