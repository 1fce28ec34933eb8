// Runs the sample with the number of the first argument. snippets.ts writes the samples beside this file.
package main

import (
	"context"
	"os"

	"identity-service.internal/identity"
)

var samples = map[string]func(context.Context, *identity.Client) error{}

func main() {
	client, err := identity.NewClient(os.Getenv("BASE_URL"), os.Getenv("API_KEY"))
	if err == nil {
		err = samples[os.Args[1]](context.Background(), client)
	}
	if err != nil {
		panic(err)
	}
}
