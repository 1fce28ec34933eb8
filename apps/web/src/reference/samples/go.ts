import type { Call } from './call';

const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const text = (value: string): string => JSON.stringify(value);

/** A part of a function with `ctx`, which returns an error. */
export function go(call: Call): string {
  const { id, baseUrl, isPublic, pathValues, body, omitsBody, result } = call;
  const given = [
    'ctx',
    ...pathValues.map(([, value]) => text(value)),
    ...(body ? ['body'] : omitsBody ? ['nil'] : []),
    ...queryOf(call),
  ].join(', ');
  return [
    `client, err := identity.NewClient(${text(baseUrl)}, ${isPublic ? '""' : 'os.Getenv("API_KEY")'})`,
    ...RETURN_ERROR,
    ...bodyLines(call),
    ...callLines(id === 'streamEvents' ? 'FollowEvents' : pascalCase(id), given, id === 'streamEvents' ? 'events' : result),
  ].join('\n');
}

const RETURN_ERROR = ['if err != nil {', '\treturn err', '}'];

function queryOf({ id, hasQuery, query }: Call): string[] {
  if (!hasQuery) return [];
  if (query.length === 0) return ['nil'];
  return [`&identity.${pascalCase(id)}Params{${query.map(([name, value]) => `${pascalCase(name)}: ${text(value)}`).join(', ')}}`];
}

function bodyLines({ body }: Call): string[] {
  if (!body) return [];
  if (!body.fields) return ['body, err := os.Open("input")', ...RETURN_ERROR, 'defer body.Close()'];
  if (body.hasOnlyTexts) {
    const values = Object.values(body.fields).map((value) => text(String(value)));
    return [`body := identity.New${body.schemaName}(${values.join(', ')})`];
  }
  // The types of nested fields would be longer than JSON.
  return [
    `body := &identity.${body.schemaName}{}`,
    `err = json.Unmarshal([]byte(\`${JSON.stringify(body.fields, null, 2).replaceAll('`', String.raw`\u0060`)}\`), body)`,
    ...RETURN_ERROR,
  ];
}

function callLines(method: string, given: string, result: Call['result'] | 'events'): string[] {
  switch (result) {
    case 'list':
    case 'events':
      return [
        `for item, err := range client.${method}(${given})${result === 'list' ? '.All()' : ''} {`,
        ...RETURN_ERROR.map((line) => `\t${line}`),
        '\tfmt.Println(item)',
        '}',
        'return nil',
      ];
    case 'none':
      return [`return client.${method}(${given})`];
    case 'content':
      return [
        `content, err := client.${method}(${given})`,
        ...RETURN_ERROR,
        'defer content.Close()',
        '_, err = io.Copy(os.Stdout, content)',
        'return err',
      ];
    case 'data':
      return [`result, err := client.${method}(${given})`, ...RETURN_ERROR, 'fmt.Println(result)', 'return nil'];
  }
}
