// Command server runs a Weaviate node for tests. It ends with the process that started it: see parent.go.
package main

import (
	"log"
	"os"

	"github.com/go-openapi/loads"
	"github.com/jessevdk/go-flags"
	"github.com/weaviate/weaviate/adapters/handlers/rest"
	"github.com/weaviate/weaviate/adapters/handlers/rest/operations"
)

func main() {
	endWithParent()
	spec, err := loads.Embedded(rest.SwaggerJSON, rest.FlatSwaggerJSON)
	if err != nil {
		log.Fatalln(err)
	}
	api := operations.NewWeaviateAPI(spec)
	server := rest.NewServer(api)
	defer server.Shutdown()
	parser := flags.NewParser(server, flags.Default)
	server.ConfigureFlags()
	for _, group := range api.CommandLineOptionsGroups {
		if _, err := parser.AddGroup(group.ShortDescription, group.LongDescription, group.Options); err != nil {
			log.Fatalln(err)
		}
	}
	if _, err := parser.Parse(); err != nil {
		os.Exit(1)
	}
	server.ConfigureAPI()
	if err := server.Serve(); err != nil {
		log.Fatalln(err)
	}
}
