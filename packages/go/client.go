// Package identity calls the API of the identity service and verifies its webhooks.
//
// [Client] has a method for each operation of the API. Lists are iterated with [List.All], events are followed with
// [Client.FollowEvents], webhooks are verified with [VerifyWebhook] or received with [WebhookHandler]. Responses that are
// not successful are returned as an [Error].
package identity

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"
)

const (
	defaultTimeout = 30 * time.Second
	defaultRetries = 3
)

// Client calls the API of the service. It is safe for concurrent use.
type Client struct {
	baseURL string
	apiKey  string
	http    *http.Client
}

// Option changes the defaults of a [Client].
type Option func(*retryTransport, *http.Client)

// WithHTTPClient sets the [http.Client] whose transport, cookie jar and timeout the client uses.
func WithHTTPClient(client *http.Client) Option {
	return func(transport *retryTransport, own *http.Client) {
		own.Jar, own.Timeout = client.Jar, client.Timeout
		if client.Transport != nil {
			transport.next = client.Transport
		}
	}
}

// WithTimeout sets the time limit of each attempt, from its start to the last byte of the response (30 seconds). The time
// limit of streams ends when the response begins. Use the context to limit the time of a call with all its attempts.
func WithTimeout(timeout time.Duration) Option {
	return func(transport *retryTransport, _ *http.Client) { transport.timeout = timeout }
}

// WithRetries sets how often a request is retried at most (3).
func WithRetries(retries int) Option {
	return func(transport *retryTransport, _ *http.Client) { transport.retries = retries }
}

// NewClient creates a client of the service at baseURL, such as https://iam.example.com. apiKey is an API key or the token
// of a session; without it, only public operations can be called.
func NewClient(baseURL, apiKey string, options ...Option) (*Client, error) {
	parsed, err := url.Parse(baseURL)
	if err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	if parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return nil, fmt.Errorf("identity: %q is not a URL such as https://iam.example.com", baseURL)
	}
	transport := &retryTransport{next: http.DefaultTransport, retries: defaultRetries, timeout: defaultTimeout}
	// The API has no redirects to follow: a redirect is returned as an Error.
	client := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for _, option := range options {
		option(transport, client)
	}
	return &Client{baseURL: strings.TrimRight(baseURL, "/"), apiKey: apiKey, http: client}, nil
}

// call is one request, and where to store the header of its response.
type call struct {
	request        *http.Request
	responseHeader *http.Header
}

// RequestOption changes a single request.
type RequestOption func(*call)

// WithHeader sets a header of the request.
func WithHeader(name, value string) RequestOption {
	return func(c *call) { c.request.Header.Set(name, value) }
}

// WithIdempotencyKey sets the Idempotency-Key of a POST. By default, each call has a random key for all of its attempts.
func WithIdempotencyKey(key string) RequestOption {
	return WithHeader("Idempotency-Key", key)
}

// WithIfMatch changes the resource only if it still has this ETag. Otherwise the [Error] has the status 412.
func WithIfMatch(etag string) RequestOption {
	return WithHeader("If-Match", etag)
}

// WithResponseHeader stores the header of the response in header, also if the response is an [Error].
func WithResponseHeader(header *http.Header) RequestOption {
	return func(c *call) { c.responseHeader = header }
}

// operation describes the request of an operation. The generated methods create it.
type operation struct {
	method string
	path   string
	// pathParams has name and value of each parameter in path.
	pathParams []string
	query      url.Values
	// body is nil, an io.Reader with the media type in contentType, or encoded as JSON.
	body           any
	contentType    string
	idempotencyKey bool
}

// open sends an operation and returns the body of its response. The caller closes it.
func open(ctx context.Context, c *Client, o operation, options []RequestOption) (io.ReadCloser, error) {
	request, err := c.newRequest(ctx, o)
	if err != nil {
		return nil, err
	}
	sent := call{request: request}
	for _, option := range options {
		option(&sent)
	}
	if o.idempotencyKey && request.Header.Get("Idempotency-Key") == "" {
		request.Header.Set("Idempotency-Key", rand.Text())
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	if sent.responseHeader != nil {
		*sent.responseHeader = response.Header
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		defer response.Body.Close()
		return nil, errorOf(response)
	}
	return response.Body, nil
}

// resultOf sends an operation and decodes the body of its response.
func resultOf[T any](ctx context.Context, c *Client, o operation, options []RequestOption) (T, error) {
	var result T
	body, err := open(ctx, c, o, options)
	if err != nil {
		return result, err
	}
	defer body.Close()
	if err := json.NewDecoder(body).Decode(&result); err != nil {
		return result, fmt.Errorf("identity: the response of %s %s is not the expected JSON: %w", o.method, o.path, err)
	}
	return result, nil
}

// dataOf sends an operation and decodes the field data of its response.
func dataOf[T any](ctx context.Context, c *Client, o operation, options []RequestOption) (T, error) {
	envelope, err := resultOf[struct{ Data T }](ctx, c, o, options)
	return envelope.Data, err
}

// done sends an operation whose response has no body.
func done(ctx context.Context, c *Client, o operation, options []RequestOption) error {
	body, err := open(ctx, c, o, options)
	if err != nil {
		return err
	}
	return body.Close()
}

func (c *Client) newRequest(ctx context.Context, o operation) (*http.Request, error) {
	path, err := expand(o.path, o.pathParams)
	if err != nil {
		return nil, err
	}
	if len(o.query) > 0 {
		path += "?" + o.query.Encode()
	}
	body, contentType, err := encode(o)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, o.method, c.baseURL+path, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "identity-service-go/"+Version)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if c.apiKey != "" {
		request.Header.Set("Authorization", "Bearer "+c.apiKey)
	}
	return request, nil
}

// expand replaces each {name} of a path.
func expand(path string, params []string) (string, error) {
	for i := 0; i < len(params); i += 2 {
		name, value := params[i], params[i+1]
		if value == "" || value == "." || value == ".." {
			return "", fmt.Errorf("identity: %q can't be the parameter %s of %s", value, name, path)
		}
		path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
	}
	return path, nil
}

func encode(o operation) (body io.Reader, contentType string, err error) {
	if IsNil(o.body) {
		return nil, "", nil
	}
	if reader, ok := o.body.(io.Reader); ok {
		return reader, o.contentType, nil
	}
	encoded, err := json.Marshal(o.body)
	if err != nil {
		return nil, "", fmt.Errorf("identity: the body of %s %s can't be encoded: %w", o.method, o.path, err)
	}
	return bytes.NewReader(encoded), "application/json", nil
}

// setParameter adds a query parameter unless it has its zero value. A list is one parameter for each item.
func setParameter(query url.Values, name string, value any) {
	if reflect.ValueOf(value).IsZero() {
		return
	}
	switch typed := value.(type) {
	case []string:
		query[name] = typed
	case time.Time:
		// The service accepts microseconds.
		query.Set(name, typed.Truncate(time.Microsecond).Format(time.RFC3339Nano))
	default:
		query.Set(name, fmt.Sprint(value))
	}
}
