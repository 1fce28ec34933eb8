package identity

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

const (
	firstBackoff = 250 * time.Millisecond
	maxBackoff   = 8 * time.Second
	// maxRetryAfter is the longest wait before a retry. If Retry-After is longer, the caller gets the Error.
	maxRetryAfter = 30 * time.Second
)

// retryTransport retries requests that got no response or a temporary error.
type retryTransport struct {
	next    http.RoundTripper
	retries int
	timeout time.Duration
}

// RoundTrip implements [http.RoundTripper].
func (t *retryTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, retries := request.Context(), t.retries
	if request.Body != nil && request.GetBody == nil {
		retries = 0 // The body can be sent only once.
	}
	for attempt := 0; ; attempt++ {
		response, err := t.send(request)
		delay, retry := delayBeforeRetry(request, response, err, attempt)
		if !retry || attempt >= retries || ctx.Err() != nil {
			return response, err
		}
		if response != nil {
			response.Body.Close()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(delay):
		}
		if request.Body != nil {
			request = request.Clone(ctx)
			if request.Body, err = request.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}

// delayBeforeRetry returns how long to wait, or false if the outcome is final. Whether a POST without Idempotency-Key was
// executed is unknown, except after 429.
func delayBeforeRetry(request *http.Request, response *http.Response, err error, attempt int) (time.Duration, bool) {
	isIdempotent := request.Method != http.MethodPost || request.Header.Get("Idempotency-Key") != ""
	backoff := rand.N(min(maxBackoff, firstBackoff<<min(attempt, 5)))
	if err != nil {
		return backoff, isIdempotent
	}
	wait, hasWait := retryAfter(response.Header)
	retry := false
	switch response.StatusCode {
	case http.StatusTooManyRequests:
		retry = true
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		retry = isIdempotent
	case http.StatusConflict: // With Retry-After, the first request with this Idempotency-Key is still in progress.
		retry = isIdempotent && hasWait
	}
	if hasWait {
		return wait + rand.N(firstBackoff), retry && wait <= maxRetryAfter
	}
	return backoff, retry
}

// send makes one attempt within the time limit. It reads responses in JSON completely, so that a connection that breaks in
// the middle of the body is a failed attempt.
func (t *retryTransport) send(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(request.Context())
	late := fmt.Errorf("no complete response within %v: %w", t.timeout, context.DeadlineExceeded)
	timer := time.AfterFunc(t.timeout, func() { cancel(late) })
	response, err := t.next.RoundTrip(request.WithContext(ctx))
	if err == nil && isJSON(response.Header) {
		response.Body, err = readAll(response.Body)
	}
	isLate := !timer.Stop()
	if err == nil && !isLate {
		response.Body = cancelOnClose{response.Body, cancel}
		return response, nil
	}
	if response != nil {
		response.Body.Close()
	}
	if isLate {
		err = late
	} else if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	cancel(nil)
	return nil, err
}

func isJSON(header http.Header) bool {
	mediaType, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	return mediaType == "application/json" || mediaType == "application/problem+json"
}

func readAll(body io.ReadCloser) (io.ReadCloser, error) {
	defer body.Close()
	content, err := io.ReadAll(body)
	return io.NopCloser(bytes.NewReader(content)), err
}

// cancelOnClose releases the context of a request when its response is closed.
type cancelOnClose struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

func (c cancelOnClose) Close() error {
	defer c.cancel(nil)
	return c.ReadCloser.Close()
}
