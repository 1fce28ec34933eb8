// Verifies the deliveries on the standard input and prints their outcomes as JSON.
package main

import (
	"encoding/json"
	"os"
	"time"

	"example.com/verifywebhook"
)

type delivery struct {
	Body    string
	Headers map[string]string
	Secrets []string
	Now     int64
}

func main() {
	var cases []delivery
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	outcomes := []string{}
	for _, each := range cases {
		header := func(name string) string { return each.Headers[name] }
		if _, err := verifywebhook.Verify([]byte(each.Body), header, each.Secrets, time.Unix(each.Now, 0)); err != nil {
			outcomes = append(outcomes, err.Error())
		} else {
			outcomes = append(outcomes, "verified")
		}
	}
	json.NewEncoder(os.Stdout).Encode(outcomes)
}
