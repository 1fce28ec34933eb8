// Package verifywebhook verifies deliveries of the identity service's webhooks with the standard library only.
//
//	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
//	event, err := verifywebhook.Verify(body, r.Header.Get, []string{os.Getenv("WEBHOOK_SECRET")}, time.Now())
package verifywebhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader is the signature header of the service: its SERVICE_NAME and "-signature".
var SignatureHeader = "service-signature"

// Tolerance is the maximum difference between the timestamp of a delivery and now.
const Tolerance = 300 * time.Second

// Reasons why a request is not a delivery of the service. Respond with 401.
var (
	ErrSignatureMissing  = errors.New("signature_missing")
	ErrTimestamp         = errors.New("timestamp_out_of_tolerance")
	ErrSignatureMismatch = errors.New("signature_mismatch")
	ErrBody              = errors.New("body_invalid")
)

// Event is a delivered event. The content of Data depends on Type.
type Event struct {
	ID           string                    `json:"id"`
	Type         string                    `json:"type"`
	Timestamp    time.Time                 `json:"timestamp"`
	Organization struct{ ID, Name string } `json:"organization"`
	Data         json.RawMessage           `json:"data"`
}

// A claim is one parsed signature header.
type claim struct {
	timestamp  string
	prefix     string
	signatures [][]byte
	key        func(secret string) []byte
}

// Verify returns the event of a valid delivery. body is the body exactly as received, before any JSON decoder; header is
// r.Header.Get; secrets has the signing secret, or both secrets during a rotation.
func Verify(body []byte, header func(name string) string, secrets []string, now time.Time) (*Event, error) {
	var claims []claim
	for _, each := range []*claim{ownClaim(header), standardClaim(header)} {
		if each != nil {
			claims = append(claims, *each)
		}
	}
	if len(claims) == 0 {
		return nil, ErrSignatureMissing
	}
	err := ErrTimestamp
	for _, each := range claims {
		if !timely(each.timestamp, now) {
			continue
		}
		err = ErrSignatureMismatch
		for _, secret := range secrets {
			if each.fits(secret, body) {
				return eventIn(body)
			}
		}
	}
	return nil, err
}

// ownClaim parses t=<unix seconds>,v1=<hex>: HMAC-SHA-256 of "<t>.<body>" with the whole text of the secret.
func ownClaim(header func(string) string) *claim {
	var timestamps []string
	var signatures [][]byte
	for _, part := range strings.Split(header(SignatureHeader), ",") {
		part = strings.TrimSpace(part)
		if value := strings.TrimPrefix(part, "t="); value != part && isUnixSeconds(value) {
			timestamps = append(timestamps, value)
		}
		value := strings.TrimPrefix(part, "v1=")
		if signature, err := hex.DecodeString(value); value != part && err == nil && len(signature) == sha256.Size && value == strings.ToLower(value) {
			signatures = append(signatures, signature)
		}
	}
	if len(timestamps) != 1 || len(signatures) == 0 {
		return nil
	}
	return &claim{timestamps[0], timestamps[0] + ".", signatures, func(secret string) []byte { return []byte(secret) }}
}

// standardClaim parses Standard Webhooks: v1,<base64>, HMAC-SHA-256 of "<id>.<timestamp>.<body>" with the decoded secret.
func standardClaim(header func(string) string) *claim {
	id, timestamp := header("webhook-id"), header("webhook-timestamp")
	var signatures [][]byte
	for _, part := range strings.Split(header("webhook-signature"), " ") {
		value := strings.TrimPrefix(part, "v1,")
		if signature, err := base64.StdEncoding.DecodeString(value); value != part && err == nil && len(signature) == sha256.Size {
			signatures = append(signatures, signature)
		}
	}
	if id == "" || !isUnixSeconds(timestamp) || len(signatures) == 0 {
		return nil
	}
	return &claim{timestamp, id + "." + timestamp + ".", signatures, standardKey}
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// standardKey returns the key that follows "whsec_" in base64. The key of any other secret is the bytes of the secret.
func standardKey(secret string) []byte {
	encoded := strings.TrimPrefix(secret, "whsec_")
	digits := strings.TrimRight(encoded, "=")
	isBase64 := encoded != secret && len(encoded) >= 4 && len(encoded)-len(digits) <= 2 && digits != "" && strings.Trim(digits, base64Digits) == ""
	if !isBase64 {
		return []byte(secret)
	}
	if len(digits)%4 == 1 {
		digits = digits[:len(digits)-1]
	}
	key, _ := base64.RawStdEncoding.DecodeString(digits)
	return key
}

func (c claim) fits(secret string, body []byte) bool {
	mac := hmac.New(sha256.New, c.key(secret))
	mac.Write([]byte(c.prefix))
	mac.Write(body)
	expected, fits := mac.Sum(nil), false
	for _, signature := range c.signatures {
		fits = hmac.Equal(signature, expected) || fits
	}
	return fits
}

func timely(timestamp string, now time.Time) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	age := now.Sub(time.Unix(seconds, 0))
	return err == nil && -Tolerance <= age && age <= Tolerance
}

func isUnixSeconds(text string) bool {
	return 0 < len(text) && len(text) <= 15 && strings.Trim(text, "0123456789") == ""
}

func eventIn(body []byte) (*Event, error) {
	event := &Event{}
	if json.Unmarshal(body, event) != nil || event.ID == "" || event.Type == "" {
		return nil, ErrBody
	}
	return event, nil
}
