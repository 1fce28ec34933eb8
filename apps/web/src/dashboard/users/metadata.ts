import { t } from '../../texts';
import { parseExactJson } from '../../ui/exact-json';

/** Custom data of the customer. */
export type Metadata = Record<string, unknown>;

/** Parses metadata; undefined for an empty text. @throws SyntaxError for text that is not a JSON object */
export function parseMetadata(text: string): Metadata | undefined {
  if (text.trim() === '') return undefined;
  const value = parseExactJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SyntaxError(t('users.fields.metadataInvalid'));
  return value as Metadata;
}

export function validateMetadata(text: string): string | null {
  try {
    parseMetadata(text);
    return null;
  } catch {
    return t('users.fields.metadataInvalid');
  }
}

export const formatMetadata = (metadata: Metadata): string =>
  Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2);

/** Returns a merge patch from one object to another: removed keys are `null`. Returns undefined without changes. */
export function metadataChanges(from: Metadata, to: Metadata): Metadata | undefined {
  const removed = Object.keys(from).filter((key) => !(key in to));
  const changed = Object.entries(to).filter(([key, value]) => JSON.stringify(from[key]) !== JSON.stringify(value));
  if (removed.length + changed.length === 0) return undefined;
  return { ...Object.fromEntries(removed.map((key) => [key, null])), ...Object.fromEntries(changed) };
}
