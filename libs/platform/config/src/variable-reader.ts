import { BadValue } from './bad-value.js';
import { ConfigError } from './config-error.js';
import { type Environment, readVariable } from './read-variable.js';
import type { Parse } from './values.js';
import { VARIABLE_NAMES, VARIABLES, type VariableName } from './variables.js';

const MAX_SHOWN_LENGTH = 80;

/** Reads variables and collects all problems for one report. */
export class VariableReader {
  readonly problems: string[] = [];

  private readonly texts: Partial<Record<VariableName, string>> = {};

  constructor(environment: Environment) {
    for (const name of VARIABLE_NAMES) {
      try {
        this.texts[name] = readVariable(environment, name);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        this.problems.push(...error.problems);
      }
    }
  }

  /** Returns the text of a variable without surrounding whitespace, or the default if the variable is empty or not set. */
  text(name: VariableName): string {
    return this.texts[name] || VARIABLES[name].default;
  }

  isSet(name: VariableName): boolean {
    return Boolean(this.texts[name]);
  }

  /** Returns the value of a variable. If the value is invalid, records the problem and returns the default. */
  read<T>(name: VariableName, parse: Parse<T>): T {
    return this.attempt(name, parse) ?? parse(VARIABLES[name].default);
  }

  /**
   * Returns the value of a variable, or undefined if the variable is not set. If the value is invalid, records the problem and returns
   * undefined.
   */
  readIfSet<T>(name: VariableName, parse: Parse<T>): T | undefined {
    return this.isSet(name) ? this.attempt(name, parse) : undefined;
  }

  /** Records a problem if a variable is not set. */
  require(name: VariableName, because: string): void {
    // A file that can't be read is already a problem.
    if (!this.isSet(name) && name in this.texts) this.problems.push(`${name} is not set, but ${because}.`);
  }

  private attempt<T>(name: VariableName, parse: Parse<T>): T | undefined {
    const text = this.text(name);
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      this.problems.push(`${name} is ${describe(name, text)}, but ${error.message}.`);
      return undefined;
    }
  }
}

function describe(name: VariableName, text: string): string {
  if (VARIABLES[name].secret) return 'not valid (its value is not shown)';
  const redacted = text.replace(/\/\/[^/@]*@/, '//***@');
  return JSON.stringify(redacted.length > MAX_SHOWN_LENGTH ? `${redacted.slice(0, MAX_SHOWN_LENGTH)}…` : redacted);
}
