/** Returns a stored payload as an object, or undefined if somebody changed it to text that is not a payload. */
export function parsedPayload(text: string): { data: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'data' in value ? value : undefined;
  } catch {
    return undefined;
  }
}
