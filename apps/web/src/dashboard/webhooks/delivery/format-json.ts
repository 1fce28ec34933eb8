/** Returns a JSON text with line breaks and indentation. */
export function formatJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    // A body that is not JSON is shown unchanged.
    return body;
  }
}
