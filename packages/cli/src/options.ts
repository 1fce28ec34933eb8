import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseExactJson } from './exact-json.js';

export function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return number;
}

export const listed = (text: string, before: string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
];

function jsonObject(text: string): Record<string, unknown> {
  let problem = '';
  try {
    const value = parseExactJson(text === '-' ? readFileSync(0, 'utf8') : text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    problem = ` ${(error as Error).message}`;
  }
  throw new InvalidArgumentError(
    `It must be a JSON object such as '{"metadata": {"team": "a"}}', or - to read it from standard input.${problem}`,
  );
}

export const limitOption = (): Option => new Option('--limit <number>', 'how many items to show').argParser(positive).default(20);
export const yesOption = (): Option => new Option('-y, --yes', 'skip the confirmation prompt');
export const dataOption = (): Option =>
  new Option('--data <json>', 'more fields as a JSON object, as in the API; - reads standard input').argParser(jsonObject);

/** Returns the fields of a body: from options, and from `--data` for fields without an option. */
export function bodyFrom<Body>(options: Readonly<Record<string, unknown>>, data: Record<string, unknown> | undefined): Body {
  return { ...data, ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) } as Body;
}

export function subcommand(group: Command, usage: string, description: string, ...options: Option[]): Command {
  const command = group.command(usage).description(description);
  for (const option of options) command.addOption(option);
  return command;
}
