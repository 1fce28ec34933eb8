package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"identity-service.internal/identity"
)

type delivery struct {
	Body    string
	Headers map[string]string
	Secrets []string
}

// verify reads deliveries from the standard input. It returns the outcome of each: the event or the error, and the status
// that the handler responds with when its function returns nil and when it returns an error.
func verify(context.Context, *identity.Client, []string) any {
	var deliveries []delivery
	check(json.NewDecoder(os.Stdin).Decode(&deliveries))
	outcomes := []string{}
	for _, each := range deliveries {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		event, err := identity.VerifyWebhook([]byte(each.Body), header, each.Secrets...)
		outcomes = append(outcomes, fmt.Sprint(outcome(event, err), " ", each.status(header, nil), " ", each.status(header, errors.New("no"))))
	}
	return outcomes
}

func outcome(event identity.Event, err error) string {
	for name, reason := range map[string]error{
		"signature_missing": identity.ErrSignatureMissing, "timestamp_out_of_tolerance": identity.ErrTimestamp,
		"signature_mismatch": identity.ErrSignatureMismatch, "body_invalid": identity.ErrWebhookBody,
	} {
		if errors.Is(err, reason) {
			return name
		}
	}
	check(err)
	switch event := event.(type) {
	case *identity.UserCreatedEvent:
		return fmt.Sprint(event.Type, " ", event.Data.Email, " ", event.Data.FirstName.Get() != nil)
	case *identity.UnknownEvent:
		return fmt.Sprint("unknown ", event.Type, " ", string(event.Data))
	}
	return fmt.Sprintf("%T", event)
}

func (d delivery) status(header http.Header, failure error) int {
	handler := identity.WebhookHandler(func(context.Context, identity.Event) error { return failure }, d.Secrets...)
	request := httptest.NewRequest(http.MethodPost, "/hooks", bytes.NewBufferString(d.Body))
	request.Header = header
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	return response.Code
}
