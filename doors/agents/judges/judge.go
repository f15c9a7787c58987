// Calls the door at the address of the first argument as the official client does, and prints what it got as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The token of the environment goes with each request.
type bearer struct{}

func (bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	sent := request.Clone(request.Context())
	sent.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	return http.DefaultTransport.RoundTrip(sent)
}

type call struct {
	name      string
	arguments map[string]any
}

func (c *call) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&c.name, &c.arguments})
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	var calls []call
	must(0, json.NewDecoder(os.Stdin).Decode(&calls))
	client := mcp.NewClient(&mcp.Implementation{Name: "judge", Version: "1"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: os.Args[1], HTTPClient: &http.Client{Transport: bearer{}}}
	session := must(client.Connect(ctx, transport, nil))
	defer session.Close()
	begun := session.InitializeResult()
	tools := []string{}
	for _, tool := range must(session.ListTools(ctx, nil)).Tools {
		tools = append(tools, tool.Name)
	}
	results := [][]any{}
	for _, each := range calls {
		result := must(session.CallTool(ctx, &mcp.CallToolParams{Name: each.name, Arguments: each.arguments}))
		results = append(results, []any{result.IsError, result.Content[0].(*mcp.TextContent).Text})
	}
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"revision":    begun.ProtocolVersion,
		"listChanged": begun.Capabilities.Tools.ListChanged,
		"tools":       tools,
		"results":     results,
	}))
}
