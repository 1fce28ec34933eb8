import type { Call } from './call';

/** Names that the package extends by an underscore, as in the generated methods. */
const RESERVED = new Set([
  'type',
  'id',
  'format',
  'from',
  'filter',
  'object',
  'hash',
  'range',
  'next',
  'all',
  'max',
  'min',
  'global',
]);

export const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

const argumentName = (name: string): string => (RESERVED.has(snakeCase(name)) ? `${snakeCase(name)}_` : snakeCase(name));

export function python({ id, baseUrl, isPublic, pathValues, query, body, result }: Call): string {
  const fields = Object.entries(body?.fields ?? {}).map(([name, value]) => {
    const source = literal(value, '    ');
    return `${argumentName(name)}=${body?.times.has(name) ? `datetime.fromisoformat(${source})` : source}`;
  });
  const given = [
    ...pathValues.map(([, value]) => literal(value, '    ')),
    ...(body && !body.fields ? ['content=Path("input").read_bytes()'] : []),
    ...fields,
    ...query.map(([name, value]) => `${argumentName(name)}=${literal(value, '    ')}`),
  ];
  const line = given.join(', ');
  const parameters = line.length <= 60 && !line.includes('\n') ? line : `\n${given.map((part) => `    ${part},\n`).join('')}`;
  const imports = [
    ...(isPublic ? [] : ['import os']),
    ...(fields.some((field) => field.includes('datetime.')) ? ['from datetime import datetime'] : []),
    ...(body && !body.fields ? ['from pathlib import Path'] : []),
  ];
  return [
    ...imports,
    ...(imports.length > 0 ? [''] : []),
    'from identity_service import IdentityClient',
    '',
    `identity = IdentityClient(${literal(baseUrl, '')}${isPublic ? '' : ', api_key=os.environ["API_KEY"]'})`,
    '',
    ...callLines(id, parameters, result),
  ].join('\n');
}

function callLines(id: string, parameters: string, result: Call['result']): string[] {
  if (id === 'streamEvents') return [`for event in identity.follow_events(${parameters}):`, '    print(event.type_)'];
  const call = `identity.${snakeCase(id)}(${parameters})`;
  if (result === 'list') return [`for item in ${call}:`, '    print(item)'];
  return result === 'none' ? [call] : [`result = ${call}`, 'print(result)'];
}

function literal(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${literal(item, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const line = `${open}${parts.join(', ')}${close}`;
  return line.length <= 60 && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
