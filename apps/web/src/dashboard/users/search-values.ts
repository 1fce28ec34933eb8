/** A parsed query. All values are untrusted; invalid values count as absent. */
type Raw = Record<string, unknown>;

/** Returns a text parameter. The router parses `?search=42` as a number. */
export function textIn(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  return text === '' ? undefined : text.slice(0, 100);
}

/** Returns a parameter that is one of the choices. */
export function choiceIn<Choice extends string>(raw: Raw, name: string, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === raw[name]);
}

/** Returns a date parameter, such as `2026-01-31`. `Date` reads 31 February as 3 March. */
export function dayIn(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const day = new Date(value);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value) ? value : undefined;
}
