import { readFileSync } from 'node:fs';
import { suggestion } from '#platform/common';
import { ConfigError } from './config-error.js';
import { VARIABLE_NAMES, type VariableName } from './variables.js';

export type Environment = Record<string, string | undefined>;

/** The end of the name of a variable with the path of a file, which has the value: the convention of Docker and Kubernetes secrets. */
const FILE_SUFFIX = '_FILE';

/**
 * Returns the text of a variable without surrounding whitespace, or the content of the file that `<name>_FILE` names.
 * @throws ConfigError if the file can't be read or is empty, or if both variables are set
 */
export function readVariable(environment: Environment, name: VariableName): string | undefined {
  const text = environment[name]?.trim();
  const fileVariable = `${name}${FILE_SUFFIX}`;
  const path = environment[fileVariable]?.trim();
  if (!path) return text;
  if (text) throw new ConfigError([`${name} and ${fileVariable} are both set. Remove one of them.`]);
  const content = contentOf(path, fileVariable);
  // An empty secret is a mistake, unlike an empty variable, which compose files use for unset ones.
  if (content === '') throw new ConfigError([`${fileVariable} is ${JSON.stringify(path)}, but this file is empty.`]);
  return content;
}

function contentOf(path: string, fileVariable: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([
      `${fileVariable} is ${JSON.stringify(path)}, but must be the path of a file that this user can read (${code}).`,
    ]);
  }
}

/** Returns a line for each variable that is probably a misspelt variable of the service, because such a variable has no effect. */
export function misspeltVariables(environment: Environment): string[] {
  const known = new Set<string>(VARIABLE_NAMES.flatMap((name) => [name, `${name}${FILE_SUFFIX}`]));
  return Object.keys(environment)
    .filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && !name.startsWith('OTEL_') && !known.has(name))
    .flatMap((name) => {
      const meant = suggestion(name, known);
      return meant === '' ? [] : [`The environment variable ${name} has no effect.${meant}`];
    });
}
