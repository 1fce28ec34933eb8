/** Returns a `curl` command that repeats the request, quoted for POSIX shells. */
export function curlCommand(
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  body: string,
): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  return [`curl -X POST ${quoted(request.url)}`, ...headers, `  --data-raw ${quoted(body)}`].join(' \\\n');
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
