import { BadValue } from './bad-value.js';
import type { Parse } from './values.js';
import { VARIABLES, type VariableName } from './variables.js';

/** Environment variables by name, as in `process.env`. */
export type Environment = Record<string, string | undefined>;

const LONGEST_SHOWN = 80;

/** Reads variables one after the other and collects what is wrong with them, so that all of it is told at once. */
export class VariableReader {
  readonly problems: string[] = [];

  constructor(private readonly environment: Environment) {}

  /** The variable's text without surrounding space, or its default. An empty variable counts as unset. */
  text(name: VariableName): string {
    return this.environment[name]?.trim() || VARIABLES[name].default;
  }

  isSet(name: VariableName): boolean {
    return Boolean(this.environment[name]?.trim());
  }

  /** The variable's value. After a bad one the default stands in, until all problems are told together. */
  read<T>(name: VariableName, parse: Parse<T>): T {
    return this.attempt(name, parse) ?? parse(VARIABLES[name].default);
  }

  /** The variable's value, or undefined when it is unset (or bad, which is noted). */
  readIfSet<T>(name: VariableName, parse: Parse<T>): T | undefined {
    return this.isSet(name) ? this.attempt(name, parse) : undefined;
  }

  /** Notes that `name` is needed, unless it is set. */
  demand(name: VariableName, because: string): void {
    if (!this.isSet(name)) this.problems.push(`${name} is not set, but ${because}.`);
  }

  private attempt<T>(name: VariableName, parse: Parse<T>): T | undefined {
    const text = this.text(name);
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      this.problems.push(`${name} is ${shown(name, text)}, but ${error.message}.`);
      return undefined;
    }
  }
}

function shown(name: VariableName, text: string): string {
  if (VARIABLES[name].secret) return 'not valid (its value is not shown)';
  const harmless = text.replace(/\/\/[^/@]*@/, '//***@');
  return JSON.stringify(harmless.length > LONGEST_SHOWN ? `${harmless.slice(0, LONGEST_SHOWN)}…` : harmless);
}
