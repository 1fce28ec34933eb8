const READ_BYTES_MAX = 64 * 1024;
const KEPT_BYTES_MAX = 16 * 1024;

/**
 * A response's body: at most 64 KiB are taken, so that an endless one ends there; a shorter one is taken to its end, so that the
 * connection can be used again. Keeps the first 16 KiB as text.
 */
export class ResponseBody {
  private readonly kept: Buffer[] = [];
  private takenBytes = 0;

  /** False when it is so long that the rest is of no interest. */
  take(chunk: Buffer): boolean {
    // A copy, since what is kept for long would hold undici's whole buffer.
    if (this.takenBytes < KEPT_BYTES_MAX) this.kept.push(Buffer.from(chunk.subarray(0, KEPT_BYTES_MAX - this.takenBytes)));
    this.takenBytes += chunk.length;
    return this.takenBytes <= READ_BYTES_MAX;
  }

  read(): { body: string; bodyTruncated: boolean } {
    const bodyTruncated = this.takenBytes > KEPT_BYTES_MAX;
    if (this.kept.length === 0) return { body: '', bodyTruncated };
    // With `stream`, a character that the cut went through is left out rather than spoiled. PostgreSQL takes no NUL in text.
    const text = new TextDecoder().decode(Buffer.concat(this.kept), { stream: bodyTruncated });
    return { body: text.replaceAll('\0', '\uFFFD'), bodyTruncated };
  }
}
