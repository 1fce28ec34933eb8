const READ_BYTES_MAX = 64 * 1024;
const KEPT_BYTES_MAX = 16 * 1024;

/**
 * The body of a response. Keeps the first 16 KiB as text. Reads at most 64 KiB, because a body can be endless. Shorter bodies are read
 * completely, so that the connection can be reused.
 */
export class ResponseBody {
  private readonly kept: Buffer[] = [];
  private readBytes = 0;

  /** Appends a part. Returns false when the limit is reached and the rest of the body is ignored. */
  append(chunk: Buffer): boolean {
    // A copy, since a part of undici's buffer would keep the whole buffer in memory.
    if (this.readBytes < KEPT_BYTES_MAX) this.kept.push(Buffer.from(chunk.subarray(0, KEPT_BYTES_MAX - this.readBytes)));
    this.readBytes += chunk.length;
    return this.readBytes <= READ_BYTES_MAX;
  }

  read(): { body: string; bodyTruncated: boolean } {
    const bodyTruncated = this.readBytes > KEPT_BYTES_MAX;
    if (this.kept.length === 0) return { body: '', bodyTruncated };
    // With `stream`, an incomplete character at the end is omitted. PostgreSQL rejects NUL in text.
    const text = new TextDecoder().decode(Buffer.concat(this.kept), { stream: bodyTruncated });
    return { body: text.replaceAll('\0', '\uFFFD'), bodyTruncated };
  }
}
