package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 300 * time.Second

// IsGenuine takes the raw bytes of the body, before any JSON parser (io.ReadAll(r.Body)).
func IsGenuine(header http.Header, body []byte, secret string) bool {
	parts := strings.Split(header.Get("service-signature"), ",")
	timestamp := ""
	for _, part := range parts {
		if strings.HasPrefix(part, "t=") {
			timestamp = strings.TrimPrefix(part, "t=")
		}
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)) > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, part := range parts {
		given, err := hex.DecodeString(strings.TrimPrefix(part, "v1="))
		if err == nil && strings.HasPrefix(part, "v1=") && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}
