/** A stored payload as an object; undefined when somebody made something else of it. */
export function parsedPayload(text: string): { data: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'data' in value ? value : undefined;
  } catch {
    return undefined;
  }
}
