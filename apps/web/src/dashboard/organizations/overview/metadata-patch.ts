/** The object that a JSON text stands for; undefined for any other text. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** What to send so that metadata become `after`: they are merged key by key, and `null` takes a key away. */
export const metadataPatch = (before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.keys(before).map((key) => [key, null])),
  ...after,
});
