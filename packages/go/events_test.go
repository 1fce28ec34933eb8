package identity

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

const redactedEvent = `{"id":"evt_1","position":2,"type":"user.created","timestamp":"2026-01-15T10:00:00Z",` +
	`"organization":{"id":"org_1","name":"Acme"},"data":{"id":"usr_1"},"chainHash":null,"redactedAt":"2026-01-16T10:00:00Z"}`

func TestFollowEventsReconnectsWhenTheStreamIsSilent(t *testing.T) {
	defer func(original time.Duration) { maxSilence = original }(maxSilence)
	maxSilence = 50 * time.Millisecond
	lastEventIDs := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lastEventID := r.Header.Get("Last-Event-ID")
		lastEventIDs <- lastEventID
		if lastEventID == "0" {
			fmt.Fprint(w, "id: 1\n\n")
		} else {
			fmt.Fprintf(w, "id: 2\ndata: %s\n\n", redactedEvent)
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	client, err := NewClient(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}

	for event, err := range client.FollowEvents(context.Background(), "acme", &StreamEventsParams{After: "0"}) {
		if err != nil {
			t.Fatal(err)
		}
		typed, err := event.Typed()
		created, ok := typed.(*UserCreatedEvent)
		if err != nil || !ok || created.Data.Id != "usr_1" || created.Data.Email != "" {
			t.Errorf("Typed() = %+v, %v", typed, err)
		}
		break
	}
	if first, second := <-lastEventIDs, <-lastEventIDs; first != "0" || second != "1" {
		t.Errorf("Last-Event-ID = %q, then %q; want 0, then 1", first, second)
	}
}
