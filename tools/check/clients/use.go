// Uses a generated client, and ends with an error at the first response that is not as the API promises.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"time"

	users "github.com/example/users"
)

const beyond32Bits = 5_000_000_000

func expect(what string, seen any, right any) {
	if fmt.Sprint(seen) != fmt.Sprint(right) {
		log.Fatalf("%s: %v instead of %v", what, seen, right)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// The generator puts the names of an object's members between brackets. By its `style` and `explode` they are parameters.
type members struct{}

func (members) RoundTrip(request *http.Request) (*http.Response, error) {
	query := url.Values{}
	for name, values := range request.URL.Query() {
		query[regexp.MustCompile(`^attributes\[(.*)\]$`).ReplaceAllString(name, "$1")] = values
	}
	request.URL.RawQuery = query.Encode()
	return http.DefaultTransport.RoundTrip(request)
}

// A walk: each response is an array, for which the client has no type, and the link has the next place.
func walk(ask func(after string) (*http.Response, error)) []string {
	names := []string{}
	for after := []string{""}; len(after) > 0; {
		// The error says that it is no page.
		response, _ := ask(after[0])
		expect("walk", response.StatusCode, 200)
		var some []users.User
		must(json.NewDecoder(response.Body).Decode(&some))
		for _, user := range some {
			names = append(names, user.Name)
		}
		after = nil
		if link := regexp.MustCompile(`<([^>]*)>; rel="next"`).FindStringSubmatch(response.Header.Get("Link")); link != nil {
			next, err := url.Parse(link[1])
			must(err)
			after = next.Query()["after"]
		}
	}
	return names
}

func main() {
	configuration := users.NewConfiguration()
	configuration.HTTPClient = &http.Client{Transport: members{}}
	configuration.Servers = users.ServerConfigurations{{URL: os.Args[1]}}
	api := users.NewAPIClient(configuration).UsersAPI
	ctx := context.Background()
	group := []string{"go" + fmt.Sprint(time.Now().UnixNano())}

	own := map[string]any{"team": "red", "level": 3.5, "active": true, "skills": []any{"go", "sql"}}
	create := func(name string, lastName string, age int64) (*users.User, string) {
		input := users.NewUserInput(name)
		input.SetLastName(lastName)
		input.SetAge(age)
		input.SetStatus(group[0])
		input.SetAttributes(own)
		user, response, err := api.CreateUser(ctx).UserInput(*input).Execute()
		must(err)
		expect("create", response.StatusCode, 201)
		return user, response.Header.Get("ETag")
	}
	old, tag := create("Zoë", "Lee", beyond32Bits)
	create("Ann", "Lee", 30)
	create("Bea", "May", 31)

	read, _, err := api.GetUser(ctx, old.Id).Execute()
	must(err)
	expect("read", []any{read.Name, read.GetAge(), read.CreatedAt}, []any{"Zoë", beyond32Bits, old.CreatedAt})
	expect("attributes", read.GetAttributes(), own)
	_, response, _ := api.GetUser(ctx, old.Id).IfNoneMatch(tag).Execute()
	expect("read again", response.StatusCode, 304)

	page, _, err := api.ListUsers(ctx).Status(group).Sort([]string{"lastName,desc", "age"}).Size(2).Execute()
	must(err)
	names := []string{page.Content[0].Name, page.Content[1].Name}
	expect("list", []any{names, page.TotalElements, page.TotalPages}, []any{[]string{"Bea", "Ann"}, 3, 2})
	since := old.CreatedAt.In(time.FixedZone("", 2*60*60)).Format(time.RFC3339Nano)
	page, _, err = api.ListUsers(ctx).Status(group).AgeGte(beyond32Bits).CreatedAtGte(since).Execute()
	must(err)
	expect("filters", []any{page.TotalElements, page.Content[0].Id}, []any{1, old.Id})
	asked := map[string]string{"attributes.team": "red", "attributes.level.gte": "3.5", "attributes.level.lt": "4"}
	page, _, err = api.ListUsers(ctx).Status(group).Attributes(asked).Execute()
	must(err)
	expect("attributes", page.TotalElements, 3)
	walked := walk(func(after string) (*http.Response, error) {
		_, response, err := api.ListUsers(ctx).Status(group).Sort([]string{"name,desc"}).Size(2).After(after).Execute()
		return response, err
	})
	expect("walk", walked, []string{"Zoë", "Bea", "Ann"})
	batch, _, err := api.ListUsersByCursor(ctx).Status(group).Cursor(old.Id).Execute()
	must(err)
	expect("batch", len(batch), 2)

	patch := users.NewUserMergePatch()
	patch.SetLastNameNil()
	patch.SetAttributes(map[string]any{"team": nil, "level": 4})
	patched, _, err := api.PatchUser(ctx, old.Id).UserMergePatch(*patch).IfMatch(tag).Execute()
	must(err)
	expect("patch", []any{patched.HasLastName(), patched.GetAge()}, []any{false, beyond32Bits})
	delete(own, "team")
	own["level"] = 4
	expect("patched attributes", patched.GetAttributes(), own)
	_, response, _ = api.PatchUser(ctx, old.Id).UserMergePatch(*patch).IfMatch(tag).Execute()
	expect("patch with an old tag", response.StatusCode, 412)

	older := users.NewUserMergePatch()
	older.SetAge(32)
	operations := []users.BatchOperation{{Op: "patch", Id: &old.Id, Patch: older}}
	for _, user := range batch {
		operations = append(operations, users.BatchOperation{Op: "delete", Id: users.PtrInt64(user.Id)})
	}
	done, _, err := api.BatchUsers(ctx).Batch(*users.NewBatch(operations)).Execute()
	must(err)
	expect("results", []any{done.Results[0].User.GetAge(), done.Results[1].Status, done.Results[2].Status}, []any{32, 204, 204})

	response, err = api.DeleteUser(ctx, old.Id).Execute()
	must(err)
	expect("delete", response.StatusCode, 204)
	_, response, _ = api.GetUser(ctx, old.Id).Execute()
	expect("read what is gone", response.StatusCode, 404)
}
