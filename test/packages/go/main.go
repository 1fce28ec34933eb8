// The program that go.spec.ts runs with the module as its users install it: each scenario prints JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"identity-service.internal/identity"
)

type result = map[string]any

const org = "acme"

func main() {
	scenario, arguments := os.Args[1], os.Args[2:]
	scenarios := map[string]func(context.Context, *identity.Client, []string) any{
		"resources": resources, "lists": lists, "errors": failures, "create": create, "get": get, "login": login,
		"bodies": bodies, "follow": follow, "verify": verify, "proofs": proofs,
	}
	options := []identity.Option{identity.WithTimeout(5 * time.Second)}
	if scenario == "get" && len(arguments) > 0 {
		options = append(options, identity.WithTimeout(200*time.Millisecond), identity.WithRetries(1))
	}
	client := must(identity.NewClient(os.Getenv("BASE_URL"), os.Getenv("API_KEY"), options...))
	print(scenarios[scenario](context.Background(), client, arguments))
}

func resources(ctx context.Context, client *identity.Client, _ []string) any {
	wanted := identity.NewCreateUserRequest("ada@example.com")
	wanted.SetFirstName("Ada")
	made := must(client.CreateUser(ctx, org, wanted))
	var header http.Header
	read := must(client.GetUser(ctx, org, made.Id, nil, identity.WithResponseHeader(&header)))
	change := identity.NewUpdateUserRequest()
	change.SetLastName("Lovelace")
	change.SetFirstNameNil()
	changed := must(client.UpdateUser(ctx, org, made.Id, change, identity.WithIfMatch(header.Get("ETag"))))
	_, late := client.UpdateUser(ctx, org, made.Id, change, identity.WithIfMatch(header.Get("ETag")))
	noBody := must(client.SuspendUser(ctx, org, made.Id, nil))
	deleted := client.DeleteUser(ctx, org, made.Id, &identity.DeleteUserParams{Permanent: true})
	_, afterDeletion := client.GetUser(ctx, org, made.Id, nil)
	alive := must(client.GetLiveness(ctx))
	return result{
		"firstName": read.GetFirstName(), "withoutFirstName": changed.FirstName, "lastName": changed.GetLastName(), "late": describe(late),
		"suspended": noBody.Status, "deleted": deleted == nil, "afterDeletion": describe(afterDeletion), "alive": alive.Status,
	}
}

func lists(ctx context.Context, client *identity.Client, _ []string) any {
	users := client.ListUsers(ctx, org, &identity.ListUsersParams{Search: "page-", Limit: 3})
	emails, first := []string{}, []string{}
	for user, err := range users.All() {
		check(err)
		emails = append(emails, user.Email)
	}
	for user, err := range users.All() {
		check(err)
		if first = append(first, user.Email); len(first) == 2 {
			break
		}
	}
	fromSecond := 0
	for _, err := range client.ListUsers(ctx, org, &identity.ListUsersParams{Search: "page-", Limit: 3, Page: 2}).All() {
		check(err)
		fromSecond++
	}
	members := map[string]bool{}
	for member, err := range client.ListMembers(ctx, org, &identity.ListMembersParams{Limit: 2}).All() {
		check(err)
		members[member.UserId] = true
	}
	roles := []string{}
	for role, err := range client.ListRoles(ctx, org, nil).All() {
		check(err)
		roles = append(roles, role.Name)
	}
	page := must(users.Page())
	return result{
		"emails": emails, "first": first, "fromSecond": fromSecond, "owner": slices.Contains(roles, "owner"),
		"allMembers": len(members) == int(must(client.ListMembers(ctx, org, nil).Page()).Pagination.Total),
		"page":       []any{len(page.Data), page.Pagination.Total, page.Pagination.HasMore},
	}
}

func failures(ctx context.Context, client *identity.Client, _ []string) any {
	taken := identity.NewCreateOrganizationRequest("Acme")
	taken.SetSlug(org)
	_, conflict := client.CreateOrganization(ctx, taken)
	_, invalid := client.CreateUser(ctx, org, identity.NewCreateUserRequest("no address"))
	_, missing := client.GetUser(ctx, org, "../../organizations", nil)
	_, empty := client.GetUser(ctx, org, "", nil)
	_, badURL := identity.NewClient("localhost", "")
	_, tooEarly := client.GetOrganization(ctx, org, &identity.GetOrganizationParams{AsOf: time.Unix(1, 0)})
	now := must(client.GetOrganization(ctx, org, &identity.GetOrganizationParams{AsOf: time.Now()}))
	anonymous := must(identity.NewClient(os.Getenv("BASE_URL"), "service_sk_wrong"))
	unauthenticated := error(nil)
	for _, err := range anonymous.ListUsers(ctx, org, nil).All() {
		unauthenticated = err
	}
	return result{
		"conflict": describe(conflict), "invalid": describe(invalid), "missing": describe(missing), "empty": empty.Error(),
		"badURL": badURL.Error(), "unauthenticated": describe(unauthenticated),
		"tooEarly": describe(tooEarly), "now": now.Slug,
		"is": []bool{errors.Is(conflict, identity.CodeSlugTaken), errors.Is(conflict, identity.CodeRoleInUse)},
	}
}

// create creates a user with an email address, with the Idempotency-Key of the second argument.
func create(ctx context.Context, client *identity.Client, arguments []string) any {
	options := []identity.RequestOption{}
	if len(arguments) > 1 {
		options = append(options, identity.WithIdempotencyKey(arguments[1]))
	}
	user := must(client.CreateUser(ctx, org, identity.NewCreateUserRequest(arguments[0]), options...))
	return result{"id": user.Id, "email": user.Email}
}

func get(ctx context.Context, client *identity.Client, _ []string) any {
	organization, err := client.GetOrganization(ctx, org, nil)
	if err != nil {
		return result{"error": describe(err)}
	}
	return result{"slug": organization.Slug}
}

func login(ctx context.Context, client *identity.Client, _ []string) any {
	_, err := client.Login(ctx, identity.NewLoginRequest(org, "unknown@example.com", "a wrong password"))
	return result{"error": describe(err)}
}

func bodies(ctx context.Context, client *identity.Client, _ []string) any {
	text := func(lines io.ReadCloser, err error) string { return string(must(io.ReadAll(must(lines, err)))) }
	ndjson := text(client.ImportUsers(ctx, org, strings.NewReader("{\"email\":\"import-1@example.com\"}\n"), nil))
	csv := text(client.ImportUsers(ctx, org, strings.NewReader("email\nimport-2@example.com\nimport-3@example.com\n"), nil,
		identity.WithHeader("Content-Type", "text/csv")))
	exported := text(client.ExportUsers(ctx, org, &identity.ExportUsersParams{Search: "import-"}))
	return result{"ndjson": ndjson, "csv": csv, "exported": strings.Count(exported, "\n")}
}

// follow prints the name and the position of each role until a role has the name "last", or with an argument until now.
func follow(ctx context.Context, client *identity.Client, arguments []string) any {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	params := &identity.StreamEventsParams{Type: []string{"role.created"}, Since: time.Now().AddDate(-1, 0, 0)}
	if len(arguments) > 0 {
		params.Until = time.Now()
	}
	names := []string{}
	for event, err := range client.FollowEvents(ctx, org, params) {
		if err != nil {
			return result{"names": names, "ended": err.Error()}
		}
		name := must(event.Typed()).(*identity.RoleCreatedEvent).Data.Name
		names = append(names, name)
		print(result{"name": name, "position": event.Position})
		if name == "last" && len(arguments) == 0 {
			cancel()
		}
	}
	unknown := error(nil)
	for _, err := range client.FollowEvents(context.Background(), "unknown", nil) {
		unknown = err
	}
	return result{"names": names, "unknown": describe(unknown)}
}

func describe(err error) any {
	var failure *identity.Error
	if !errors.As(err, &failure) {
		return err.Error()
	}
	fields := []string{}
	for _, field := range failure.Errors {
		fields = append(fields, field.Pointer)
	}
	earliest := ""
	if !failure.Earliest.IsZero() {
		earliest = failure.Earliest.Format(time.RFC3339Nano)
	}
	return result{
		"status": failure.Status, "code": failure.Code, "message": failure.Message, "fields": fields,
		"requestId": failure.RequestID, "retryAfterSeconds": failure.RetryAfter.Seconds(), "earliest": earliest,
	}
}

func print(value any) { check(json.NewEncoder(os.Stdout).Encode(value)) }

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
