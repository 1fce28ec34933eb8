import { type Readable } from 'node:stream';

const READ_BYTES_MAX = 64 * 1024;
const KEPT_BYTES_MAX = 16 * 1024;

/**
 * Reads a response's body: at most 64 KiB, after which the stream is destroyed, so that an endless body ends here; a
 * shorter one is read to its end, so that the connection can be used again. Keeps the first 16 KiB as text.
 */
export async function readBody(stream: Readable): Promise<{ body: string; bodyTruncated: boolean }> {
  const kept: Buffer[] = [];
  let readBytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (readBytes < KEPT_BYTES_MAX) kept.push(chunk.subarray(0, KEPT_BYTES_MAX - readBytes));
    readBytes += chunk.length;
    if (readBytes > READ_BYTES_MAX) break;
  }
  const bodyTruncated = readBytes > KEPT_BYTES_MAX;
  // With `stream`, a character that the cut went through is left out rather than spoiled. PostgreSQL takes no NUL in text.
  const text = new TextDecoder().decode(Buffer.concat(kept), { stream: bodyTruncated });
  return { body: text.replaceAll('\0', '\uFFFD'), bodyTruncated };
}
