package identity

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"net/url"
)

// Page is one page of a list.
type Page[T any] struct {
	Data       []T        `json:"data"`
	Pagination Pagination `json:"pagination"`
}

// List is a list of the service. It sends requests only when it is iterated, with the context of the call.
type List[T any] struct {
	ctx       context.Context
	client    *Client
	operation operation
	options   []RequestOption
}

func newList[T any](ctx context.Context, c *Client, o operation, options []RequestOption) *List[T] {
	return &List[T]{ctx, c, o, options}
}

// Page returns one page: the first page, or the page that the parameters select.
func (l *List[T]) Page() (*Page[T], error) {
	return resultOf[*Page[T]](l.ctx, l.client, l.operation, l.options)
}

// All iterates the items of all pages. Concurrent changes by other callers don't cause skipped or repeated items. The
// iteration ends after an error, which it yields with a zero item.
func (l *List[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		next := *l
		for {
			page, err := next.Page()
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			if !page.Pagination.HasMore || len(page.Data) == 0 {
				return
			}
			next.operation = after(next.operation, cursorOf(&page.Data[len(page.Data)-1]))
		}
	}
}

// after returns the operation for the page after an item, also if the iteration began at a page number.
func after(o operation, cursor string) operation {
	query := url.Values{}
	maps.Copy(query, o.query)
	query.Del("page")
	query.Set("after", cursor)
	o.query = query
	return o
}

// cursorOf returns the id of an item. Members are identified by their user.
func cursorOf(item any) string {
	switch item := item.(type) {
	case interface{ GetId() string }:
		return item.GetId()
	case interface{ GetUserId() string }:
		return item.GetUserId()
	}
	panic(fmt.Sprintf("identity: %T has no id", item))
}
