import type { TestBody } from '../support/http-client.js';

/** A collection of tests in the export format of Runscope, reduced to what the interpreter uses. */
export interface Collection {
  readonly name: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly step_type: string;
  readonly skipped?: boolean;
  readonly note?: string;
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly body?: string;
  readonly assertions?: readonly Assertion[];
  readonly variables?: readonly { readonly name: string; readonly property: string }[];
}

export interface Assertion {
  readonly source: string;
  readonly comparison: string;
  readonly property?: string;
  readonly value?: string | null;
}

interface Answer {
  readonly status: number;
  readonly tookMs: number;
  readonly body: TestBody;
}

/** The result of a step: the problems of its assertions. */
export interface StepResult {
  readonly name: string;
  readonly problems: readonly string[];
}

/**
 * Sends the requests of a collection, checks their assertions, and passes variables from response to request. Skips the pauses between
 * the requests and the scripts, which only write to the log of Runscope.
 */
export async function replay({ steps }: Collection, given: Readonly<Record<string, string>>): Promise<StepResult[]> {
  const variables = new Map(Object.entries(given));
  const results: StepResult[] = [];
  for (const step of steps.filter(({ step_type: type, skipped }) => type === 'request' && skipped !== true)) {
    const answer = await send(step, variables);
    const problems = (step.assertions ?? []).flatMap((assertion) => problemOf(assertion, answer, variables) ?? []);
    results.push({ name: step.note ?? `${step.method} ${step.url}`, problems });
    for (const { name, property } of step.variables ?? []) variables.set(name, String(propertyOf(answer.body, property)));
  }
  return results;
}

async function send(step: Step, variables: ReadonlyMap<string, string>): Promise<Answer> {
  const headers = Object.entries(step.headers ?? {}).map(([name, values]): [string, string] => [
    name,
    filled(values.join(', '), variables),
  ]);
  const startedAt = performance.now();
  const body = step.body === undefined ? undefined : filled(step.body, variables);
  const response = await fetch(filled(step.url ?? '', variables), { method: step.method, headers, body });
  const text = await response.text();
  return { status: response.status, tookMs: performance.now() - startedAt, body: text === '' ? undefined : JSON.parse(text) };
}

/** Replaces `{{name}}` by the variable. @throws Error for a missing variable */
function filled(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{\{\s*([\w-]+)\s*\}\}/g, (_match, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`The collection needs the variable "${name}".`);
    return value;
  });
}

function problemOf(assertion: Assertion, answer: Answer, variables: ReadonlyMap<string, string>): string | undefined {
  const { source, comparison, property = '' } = assertion;
  const actual = valueOf(source, property, answer);
  const expected = filled(assertion.value ?? '', variables);
  const compare = COMPARISONS[comparison];
  if (!compare) throw new Error(`The interpreter does not know the comparison "${comparison}".`);
  if (compare(actual, expected)) return undefined;
  return `${source} ${property} is ${JSON.stringify(actual) ?? 'absent'}, expected: ${comparison} ${expected}`;
}

const COMPARISONS: Readonly<Record<string, (actual: unknown, expected: string) => boolean>> = {
  equal: (actual, expected) => String(actual) === expected,
  equal_number: (actual, expected) => Number(actual) === Number(expected),
  not_empty: (actual) =>
    actual !== undefined && actual !== null && actual !== '' && !(Array.isArray(actual) && actual.length === 0),
  is_a_number: (actual) => typeof actual === 'number',
  is_less_than: (actual, expected) => Number(actual) < Number(expected),
  has_value: (actual, expected) => Array.isArray(actual) && actual.includes(expected),
  contains: (actual, expected) => (Array.isArray(actual) ? actual.includes(expected) : String(actual).includes(expected)),
};

function valueOf(source: string, property: string, { status, tookMs, body }: Answer): unknown {
  if (source === 'response_status') return status;
  if (source === 'response_time') return tookMs;
  if (source === 'response_json') return propertyOf(body, property);
  throw new Error(`The interpreter does not know the source "${source}".`);
}

/** Returns the value at a path such as `Resources[0].name.familyName`. */
const propertyOf = (body: TestBody, path: string): unknown =>
  path
    .split(/[.[\]]+/)
    .filter((name) => name !== '')
    .reduce((value, name) => value?.[name], body);
