package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	iam "example.com/iam"
)

func main() {
	slug := os.Getenv("SLUG")
	configuration := iam.NewConfiguration()
	configuration.Servers = iam.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("API_KEY"))
	client := iam.NewAPIClient(configuration)
	ctx := context.Background()

	before := len(organizations(ctx, client))
	wanted := iam.NewCreateOrganizationRequest("From Go")
	wanted.SetSlug(slug)
	created, _, err := client.OrganizationsAPI.CreateOrganization(ctx).CreateOrganizationRequest(*wanted).Execute()
	must(err)
	person := iam.NewCreateUserRequest("ada@" + slug + ".example")
	user, _, err := client.UsersAPI.CreateUser(ctx, created.Data.Id).CreateUserRequest(*person).Execute()
	must(err)
	_, _, err = client.OrganizationsAPI.GetOrganization(ctx, "no-such-organization").Execute()
	notFound := problem(err)
	_, _, err = client.OrganizationsAPI.CreateOrganization(ctx).CreateOrganizationRequest(*wanted).Execute()
	conflict := problem(err)
	// An event appears in the log a moment after the change.
	types := []string{}
	for !slices.Contains(types, "user.created") {
		time.Sleep(50 * time.Millisecond)
		events, _, err := client.EventsAPI.ListEvents(ctx, created.Data.Id).Sort("position").Execute()
		must(err)
		types = nil
		for _, event := range events.Data {
			types = append(types, event.Type)
		}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"email": user.Data.Email, "added": len(organizations(ctx, client)) - before,
		"notFound": notFound, "conflict": conflict, "events": types,
	})
}

// Returns all organizations, page by page.
func organizations(ctx context.Context, client *iam.APIClient) []string {
	ids := []string{}
	for {
		request := client.OrganizationsAPI.ListOrganizations(ctx).Limit(2)
		if len(ids) > 0 {
			request = request.After(ids[len(ids)-1])
		}
		page, _, err := request.Execute()
		must(err)
		for _, organization := range page.Data {
			ids = append(ids, organization.Id)
		}
		if !page.Pagination.HasMore {
			return ids
		}
	}
}

func problem(err error) string {
	var failure *iam.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic(fmt.Sprintf("no error of the API: %v", err))
	}
	found := failure.Model().(iam.ProblemResponse)
	return fmt.Sprintf("%d %s", found.Status, found.Code)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
