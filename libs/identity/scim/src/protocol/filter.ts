import { type Filter, parse } from 'scim2-parse-filter';
import { ScimRequestInvalid } from './scim-errors.js';

export type { Filter };

/** Longer filters could nest too deep for the parser. */
const MAX_FILTER_LENGTH = 4_000;
const MAX_CONDITIONS = 100;

/** Parses a filter (RFC 7644, section 3.4.2.2). @throws ScimRequestInvalid (400, invalidFilter) */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_FILTER_LENGTH)
    throw new ScimRequestInvalid(
      'invalidFilter',
      `The filter is longer than ${MAX_FILTER_LENGTH} characters. Send a shorter one.`,
    );
  const filter = parsed(text);
  if (countConditions(filter) > MAX_CONDITIONS)
    throw new ScimRequestInvalid(
      'invalidFilter',
      `The filter has more than ${MAX_CONDITIONS} conditions. Send several requests.`,
    );
  return filter;
}

function parsed(text: string): Filter {
  try {
    return parse(text);
  } catch {
    throw new ScimRequestInvalid(
      'invalidFilter',
      `"${text.slice(0, 100)}" is not a filter. Send for example: userName eq "jane@example.com". Strings are in double quotes.`,
    );
  }
}

export function countConditions(filter: Filter): number {
  if (filter.op === 'and' || filter.op === 'or') return filter.filters.reduce((sum, part) => sum + countConditions(part), 0);
  if (filter.op === 'not') return countConditions(filter.filter);
  if (filter.op === '[]') return countConditions(filter.valFilter);
  return 1;
}
