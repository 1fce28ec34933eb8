import { addressOf, type Call } from './call';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function curl(call: Call): string {
  const { method, baseUrl, isPublic, body } = call;
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quoted(baseUrl + addressOf(call))}`];
  if (!isPublic) lines.push('-H "Authorization: Bearer $API_KEY"');
  if (body?.contentType === 'application/x-www-form-urlencoded')
    lines.push(
      ...Object.entries(body.fields ?? {}).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${String(value)}`)}`),
    );
  else if (body) {
    lines.push(`-H 'Content-Type: ${body.contentType}'`);
    lines.push(body.fields ? `-d ${quoted(JSON.stringify(body.fields, null, 2))}` : '--data-binary @input');
  }
  return lines.join(' \\\n  ');
}
