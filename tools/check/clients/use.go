// Uses a generated client, and ends with an error at the first response that is not as the API promises.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
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

func main() {
	configuration := users.NewConfiguration()
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
