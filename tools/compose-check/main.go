// Loads a compose file as docker compose does, undefined networks and secrets refused, and prints the project as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/loader"
)

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithConsistency(true), cli.WithLoadOptions(loader.WithProfiles([]string{"*"})))
	if err != nil {
		fail(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		fail(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(project); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
