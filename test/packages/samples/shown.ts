/** Parses JSON of a page. `…` replaces omitted parts. */
export const parseShown = (text: string): unknown => JSON.parse(text.replaceAll(/,\s*…/g, '').replaceAll('{…}', '{}'));

/** Returns the JSON value of each line, or the complete block as one JSON value. */
export function shownValues(text: string): unknown[] {
  const lines = text.trim().split('\n');
  const isOnePerLine = lines.every((line) => line.startsWith('{') && line.endsWith('}'));
  return isOnePerLine ? lines.map(parseShown) : [parseShown(text)];
}

/** Returns the JSON values that a block printed, one per line. */
export const printedValues = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as unknown);

/** Returns the differences between a response and the response on the page: missing fields, different types, different words. */
export function differences(shown: unknown, actual: unknown, path = ''): string[] {
  const difference = `${path || '/'} is shown as ${JSON.stringify(shown)}, and is ${JSON.stringify(actual)}`;
  if (typeof shown !== typeof actual || (shown === null) !== (actual === null)) return [difference];
  // Pages contain some elements of a list.
  if (Array.isArray(shown)) return shown.flatMap((value, index) => fewestDifferences(value, actual, `${path}/${index}`));
  if (typeof shown === 'object' && shown !== null)
    return Object.entries(shown).flatMap(([key, value]) =>
      differences(value, (actual as Record<string, unknown>)[key], `${path}/${key}`),
    );
  return typeof shown === 'number' || shown === actual || isVolatile(String(shown)) ? [] : [difference];
}

/** Returns the differences from the most similar element of a list. */
function fewestDifferences(shown: unknown, list: unknown, path: string): string[] {
  if (!Array.isArray(list) || list.length === 0) return [`${path} is shown, and is not there`];
  return list.map((each) => differences(shown, each, path)).toSorted((one, other) => one.length - other.length)[0]!;
}

/** Returns whether a text differs in every run: IDs, codes, times, secrets and local addresses. */
const isVolatile = (text: string): boolean =>
  /…|^https?:|^otpauth:|^curl\/|_[0-9a-z]{26}\b|^[A-Z]{4}-[A-Z]{4}$/.test(text) || (/\d/.test(text) && !text.includes(' '));

/** Returns a line without the parts that differ in every run. */
const withoutVolatileParts = (line: string): string =>
  line
    .replaceAll(/\b([a-z]{2,4})_[0-9a-z]{26}\b/g, '$1_ID')
    .replaceAll(/https?:\/\/[\w.-]+(?::\d+)?/g, 'ORIGIN')
    .replaceAll(/\bkey [0-9a-f]{8}\b|\b[0-9a-f]{8}\.$/g, 'KEY_ID')
    .replaceAll(/\d[\d:.TZ-]*/g, '0')
    .trim();

/** Returns whether the output contains a line of the page. */
export const isAmong = (shown: string, printed: readonly string[]): boolean => {
  const [beginning, rest] = withoutVolatileParts(shown).split('…', 2) as [string, string?];
  return printed.map(withoutVolatileParts).some((line) => (rest === undefined ? line === beginning : line.startsWith(beginning)));
};
