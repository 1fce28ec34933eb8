import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

const INFORMATIONAL_MAX = 16;
const HEAD_MAX_BYTES = 16 * 1024;
const INFORMATIONAL = /^HTTP\/1\.[01] 1\d\d[ \r]/;
const STARTS = ['HTTP/1.0 1', 'HTTP/1.1 1'] as const;
const START_LENGTH = 'HTTP/1.1 100 '.length;
const NOTHING = Buffer.alloc(0);
const RESET_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The server sent informational responses that a client can't accept. */
class InformationalResponseInvalid extends Error {
  /** A code as of llhttp, the HTTP parser. */
  readonly code = 'HPE_INVALID_STATUS';
}

const staleConnectionErrors = new WeakSet();

/**
 * Returns whether a request failed because the server had closed the idle connection that the request reused. The server has sent nothing
 * in response, so the client can retry on another connection.
 */
export const isStaleConnection = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && staleConnectionErrors.has(error);

/**
 * Returns a connector whose connections have no informational responses (1xx), because undici closes the connection at a `100 Continue` that it has not
 * asked for. A server may send informational responses at any time (RFC 9110, section 15.2). Rejects 101, which is only for upgrades, and
 * more than 16 informational responses. Remembers errors of stale connections for `isStaleConnection`.
 */
export const withFinalResponses =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) =>
    connect(target, (...result: Parameters<buildConnector.Callback>) => {
      const [, socket] = result;
      if (socket) readFinalResponses(socket);
      callback(...result);
    });

function readFinalResponses(socket: Socket): void {
  const reader = new ResponseReader();
  const read = socket.read.bind(socket);
  let sentBytes = 0;
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size) as Buffer | null;
      if (chunk === null) return null;
      // The client sends its next request only after the response, so sent bytes mean that the server now sends another response.
      if (socket.bytesWritten !== sentBytes) reader.begin();
      sentBytes = socket.bytesWritten;
      try {
        const part = reader.finalPart(chunk);
        if (part.length > 0) return part;
      } catch (error) {
        socket.destroy(error as Error);
        return null;
      }
    }
  };
  socket.on('error', (error: NodeJS.ErrnoException) => {
    const isUnanswered = reader.hasResponded && socket.bytesWritten !== sentBytes;
    if (isUnanswered && RESET_CODES.has(error.code ?? '')) staleConnectionErrors.add(error);
  });
}

/** Finds the final response in the bytes that a server sends. */
class ResponseReader {
  /** Whether the server has begun a final response on this connection. */
  hasResponded = false;
  private isWaiting = false;
  private informationalCount = 0;
  private head: Buffer = NOTHING;

  /** Expects a response. */
  begin(): void {
    this.isWaiting = true;
    this.informationalCount = 0;
  }

  /** Returns the part of the bytes that belongs to the final response. @throws InformationalResponseInvalid */
  finalPart(chunk: Buffer): Buffer {
    if (!this.isWaiting) return chunk;
    let bytes = this.head.length > 0 ? Buffer.concat([this.head, chunk]) : chunk;
    this.head = NOTHING;
    while (canBeInformational(bytes)) {
      if (bytes.toString('latin1', 9, 12) === '101') throw new InformationalResponseInvalid('The server switched protocols.');
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) {
        if (bytes.length > HEAD_MAX_BYTES) throw new InformationalResponseInvalid('An informational response is too long.');
        this.head = bytes;
        return NOTHING;
      }
      this.informationalCount += 1;
      if (this.informationalCount > INFORMATIONAL_MAX)
        throw new InformationalResponseInvalid('The server sent too many informational responses.');
      bytes = bytes.subarray(end + 4);
    }
    if (bytes.length === 0) return NOTHING;
    this.isWaiting = false;
    this.hasResponded = true;
    return bytes;
  }
}

/** Returns whether bytes are the beginning of an informational response, or too few to know. */
function canBeInformational(bytes: Buffer): boolean {
  if (bytes.length === 0) return false;
  const start = bytes.toString('latin1', 0, START_LENGTH);
  return start.length < START_LENGTH
    ? STARTS.some((each) => each.startsWith(start.slice(0, each.length)))
    : INFORMATIONAL.test(start);
}
