/** Returns the body of a request. A file of its own without TypeScript, because the bare servers run without a loader. */
export async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
