// Verifies webhooks as the official library does: a line for each, which is empty, or says why it is refused.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type sent struct {
	Secret, Body string
	Headers      map[string]string
}

func main() {
	var all []sent
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		log.Fatal(err)
	}
	for _, each := range all {
		webhook, err := standardwebhooks.NewWebhook(each.Secret)
		if err != nil {
			log.Fatal(err)
		}
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		if err := webhook.Verify([]byte(each.Body), headers); err != nil {
			fmt.Println(err)
		} else {
			fmt.Println()
		}
	}
}
