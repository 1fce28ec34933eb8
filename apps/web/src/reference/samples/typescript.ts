import type { Call } from './call';

const IDENTIFIER = /^[a-z_$][\w$]*$/i;

export function typescript({ id, baseUrl, isPublic, pathValues, query, body, result }: Call): string {
  const input = {
    ...Object.fromEntries([...pathValues, ...query]),
    ...(body?.fields && { body: body.fields }),
  };
  const isFile = body !== undefined && body.fields === undefined;
  const given = isFile ? { ...input, body: new Code("await readFile('input')") } : input;
  const parameters = Object.keys(given).length === 0 ? '' : literal(given, '');
  return [
    ...(isFile ? ["import { readFile } from 'node:fs/promises';"] : []),
    "import { createIdentityClient } from '@identity-service/client';",
    '',
    `const identity = createIdentityClient({ baseUrl: ${text(baseUrl)}${isPublic ? '' : ', apiKey: process.env.API_KEY'} });`,
    '',
    ...callLines(id, parameters, result),
  ].join('\n');
}

function callLines(id: string, parameters: string, result: Call['result']): string[] {
  if (id === 'streamEvents') return [`for await (const event of identity.followEvents(${parameters})) console.log(event.type);`];
  switch (result) {
    case 'list':
      return [`for await (const item of identity.${id}(${parameters})) console.log(item);`];
    case 'none':
      return [`await identity.${id}(${parameters});`];
    case 'content':
      return [
        `const { body } = await identity.${id}.stream(${parameters});`,
        'for await (const chunk of body ?? []) process.stdout.write(chunk);',
      ];
    case 'data':
      return [`const result = await identity.${id}(${parameters});`, 'console.log(result);'];
  }
}

class Code {
  constructor(readonly text: string) {}
}

const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

/** Writes a value as source, on one line if it is short. */
function literal(value: unknown, indent: string): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${IDENTIFIER.test(name) ? name : text(name)}: ${literal(item, inner)}`);
  const [open, close, space] = isList ? ['[', ']', ''] : ['{', '}', ' '];
  if (parts.length === 0) return open + close;
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  return line.length <= 80 && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
