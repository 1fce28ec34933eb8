/** Values of an address's search, which anybody may have typed: what makes no sense counts as absent. */
type Raw = Record<string, unknown>;

/** A text; `?search=42` is read as a number. */
export function textIn(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  return text === '' ? undefined : text.slice(0, 100);
}

/** One of some choices. */
export function choiceIn<Choice extends string>(raw: Raw, name: string, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === raw[name]);
}

/** A day as `2026-01-31`. */
export function dayIn(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** The number of a page; the first one is absent. */
export function pageIn(raw: Raw): number | undefined {
  const value = Number(raw['page']);
  return Number.isInteger(value) && value > 1 && value <= 100_000 ? value : undefined;
}
