import { parseExactJson } from '../../../ui/exact-json';

/** Parses a JSON object; undefined for any other text. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const parsed = parseExactJson(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a merge patch that replaces the metadata by `after`: removed keys are `null`. */
export const metadataPatch = (before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.keys(before).map((key) => [key, null])),
  ...after,
});
