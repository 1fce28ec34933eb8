/** Parses a stored payload. Returns undefined if a change in the database made the text invalid. */
export function parsedPayload(text: string): { data: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'data' in value ? value : undefined;
  } catch {
    return undefined;
  }
}
