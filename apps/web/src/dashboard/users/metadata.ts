import { t } from '../../texts';

/** Anything of the customer's own. */
export type Metadata = Record<string, unknown>;

/** The object that a text means; undefined for an empty text. @throws SyntaxError when it is none */
export function parseMetadata(text: string): Metadata | undefined {
  if (text.trim() === '') return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SyntaxError(t('users.fields.metadataInvalid'));
  return value as Metadata;
}

/** What is wrong with the text, as a form's field shows it. */
export function metadataProblem(text: string): string | null {
  try {
    parseMetadata(text);
    return null;
  } catch {
    return t('users.fields.metadataInvalid');
  }
}

export const formatMetadata = (metadata: Metadata): string =>
  Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2);

/** What makes one object of the other: keys that go are `null`, as the API takes them away. Undefined when nothing differs. */
export function metadataChanges(from: Metadata, to: Metadata): Metadata | undefined {
  const gone = Object.keys(from).filter((key) => !(key in to));
  const changed = Object.entries(to).filter(([key, value]) => JSON.stringify(from[key]) !== JSON.stringify(value));
  if (gone.length + changed.length === 0) return undefined;
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(changed) };
}
