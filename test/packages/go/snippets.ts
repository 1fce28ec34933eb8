/** The packages that samples of the README use without an import. */
const IMPORTS: Readonly<Record<string, string>> = {
  context: 'context',
  errors: 'errors',
  fmt: 'fmt',
  http: 'net/http',
  identity: 'identity-service.internal/identity',
  io: 'io',
  os: 'os',
  time: 'time',
};

const MAIN = `package main

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
`;

/** Returns the Go code of a page as files of a module: the complete programs, and one program that runs a sample by number. */
export function goFiles(page: string): [path: string, code: string][] {
  const blocks = [...page.matchAll(/^```go\n([\s\S]*?)^```$/gm)].map((match) => match[1]!);
  const files = blocks.map((code, index): [string, string] =>
    code.startsWith('package ') ? [`readme${index}/main.go`, code] : [`samples/sample${index}.go`, sampleOf(code, index)],
  );
  return [...files, ['samples/main.go', MAIN]];
}

function sampleOf(body: string, index: number): string {
  const names = Object.keys(IMPORTS).filter((name) => new RegExp(`\\b${name}\\.`).test(`context. identity. ${body}`));
  return `package main

import (
${names.map((name) => `\t"${IMPORTS[name]}"`).join('\n')}
)

func init() {
	samples["${index}"] = func(ctx context.Context, client *identity.Client) error {
${body}
		return nil
	}
}
`;
}
