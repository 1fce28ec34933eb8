package identity

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Error is a response of the service that is not successful.
type Error struct {
	// Status is the HTTP status.
	Status int
	// Code is the stable code of the error, or http_<status> if the response is not from the service.
	Code Code
	// Message describes the error for people.
	Message string
	// Errors lists invalid fields and parameters.
	Errors []FieldProblemResponse
	// RequestID identifies the request in the logs of the service.
	RequestID string
	// RetryAfter is how long to wait before the next request; 0 if the response doesn't say.
	RetryAfter time.Duration
	// Earliest is the earliest moment that AsOf can have if the code is [CodeHistoryUnavailable], otherwise the zero time.
	Earliest time.Time
}

func (e *Error) Error() string {
	if e.RequestID == "" {
		return fmt.Sprintf("identity: %s (%d %s)", e.Message, e.Status, e.Code)
	}
	return fmt.Sprintf("identity: %s (%d %s, request %s)", e.Message, e.Status, e.Code, e.RequestID)
}

// Is returns whether target is the [Code] of the error: errors.Is(err, identity.CodeSlugTaken).
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Code is the stable code of an [Error]. It is an error itself so that errors.Is can check for it.
type Code string

func (c Code) Error() string { return string(c) }

func errorOf(response *http.Response) *Error {
	failure := &Error{
		Status:    response.StatusCode,
		Code:      Code("http_" + strconv.Itoa(response.StatusCode)),
		Message:   "the response was " + response.Status,
		RequestID: response.Header.Get("X-Request-Id"),
	}
	failure.RetryAfter, _ = retryAfter(response.Header)
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return failure
	}
	var problem ProblemResponse
	if json.Unmarshal(body, &problem) == nil && problem.Code != "" {
		failure.Code, failure.Message, failure.Errors = Code(problem.Code), problem.Detail, problem.Errors
		failure.RequestID, failure.Earliest = problem.RequestId, problem.GetEarliest()
	}
	return failure
}

// retryAfter reads Retry-After, which is a number of seconds or a date.
func retryAfter(header http.Header) (time.Duration, bool) {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return max(0, time.Duration(seconds)*time.Second), true
	}
	if moment, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(moment)), true
	}
	return 0, false
}
