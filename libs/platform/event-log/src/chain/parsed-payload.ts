/** Returns a stored payload as an object, or undefined if somebody replaced it by something else. */
export function parsedPayload(text: string): { data: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'data' in value ? value : undefined;
  } catch {
    return undefined;
  }
}
