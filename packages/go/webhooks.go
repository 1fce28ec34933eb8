package identity

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	webhookTolerance = 300 * time.Second
	maxWebhookBytes  = 1 << 20
)

// Reasons why a request is not a delivery of the service. Respond with 401.
var (
	ErrSignatureMissing  = errors.New("identity: the request has no webhook signature")
	ErrTimestamp         = errors.New("identity: the timestamp of the webhook differs by more than 300 seconds from the current time")
	ErrSignatureMismatch = errors.New("identity: no signature of the webhook matches")
	ErrWebhookBody       = errors.New("identity: the webhook has a valid signature but does not contain an event")
)

// VerifyWebhook checks the signature of a delivery (Standard Webhooks) and returns its event. body is the body exactly as
// received; secrets has the signing secret, or both secrets during a rotation. One valid signature is enough.
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (Event, error) {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	var signatures [][]byte
	for _, part := range strings.Fields(header.Get("Webhook-Signature")) {
		encoded, isV1 := strings.CutPrefix(part, "v1,")
		if signature, err := base64.StdEncoding.DecodeString(encoded); isV1 && err == nil {
			signatures = append(signatures, signature)
		}
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || len(signatures) == 0 {
		return nil, ErrSignatureMissing
	}
	if age := time.Since(time.Unix(seconds, 0)).Abs(); age > webhookTolerance {
		return nil, ErrTimestamp
	}
	if !anySignatureMatches(signatures, secrets, id+"."+timestamp+".", body) {
		return nil, ErrSignatureMismatch
	}
	event, err := parseEvent(body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWebhookBody, err)
	}
	return event, nil
}

// anySignatureMatches compares in constant time.
func anySignatureMatches(signatures [][]byte, secrets []string, prefix string, body []byte) bool {
	matches := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, webhookKey(secret))
		mac.Write([]byte(prefix))
		mac.Write(body)
		expected := mac.Sum(nil)
		for _, signature := range signatures {
			matches = hmac.Equal(signature, expected) || matches
		}
	}
	return matches
}

// encodedSecret is a secret whose key follows in base64, with or without padding.
var encodedSecret = regexp.MustCompile(`^whsec_([A-Za-z0-9+/]+)={0,2}$`)

// webhookKey returns the key of a secret as the service does: the decoded key, or the secret itself if it is not encoded.
func webhookKey(secret string) []byte {
	match := encodedSecret.FindStringSubmatch(secret)
	if match == nil || len(secret) < len("whsec_")+4 {
		return []byte(secret)
	}
	// The only possible error is a last character that completes no byte: the service also ignores it.
	key, _ := base64.RawStdEncoding.DecodeString(match[1])
	return key
}

// WebhookHandler receives webhooks: it verifies each request and passes the event to handle. It responds with 204, with
// 401 to an invalid signature, and with 500 if handle returns an error, after which the service retries.
func WebhookHandler(handle func(ctx context.Context, event Event) error, secrets ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxWebhookBytes))
		if err != nil {
			http.Error(w, "the body is too large or incomplete", http.StatusBadRequest)
			return
		}
		event, err := VerifyWebhook(body, r.Header, secrets...)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		if err := handle(r.Context(), event); err != nil {
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
