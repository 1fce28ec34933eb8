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

/** Returns the Go code of a page as files of a module: the complete programs, and the samples of `samples/main.go`. */
export function goFiles(page: string): [path: string, code: string][] {
  const blocks = [...page.matchAll(/^```go\n([\s\S]*?)^```$/gm)].map((match) => match[1]!);
  return blocks.map((code, index) =>
    code.startsWith('package ') ? [`readme${index}/main.go`, code] : [`samples/sample${index}.go`, sampleOf(code, index)],
  );
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
