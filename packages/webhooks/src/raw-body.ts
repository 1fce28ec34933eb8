/** Maximum size of a body. Deliveries are far smaller. */
const MAX_BODY_BYTES = 1_048_576;

/** A request of Node.js: a stream that a framework may have read already. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed or raw body, if a parser has read the stream. */
  readonly body?: unknown;
  /** The raw bytes, if the framework keeps them (Nest with `rawBody: true`). */
  readonly rawBody?: Uint8Array | undefined;
  readonly readableEnded?: boolean;
}

/** The body is too large for a delivery. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** Returns the raw bytes. @throws Error that explains the configuration if a parser has read the stream */
export async function rawBodyOf(request: NodeRequest): Promise<Uint8Array> {
  if (request.rawBody instanceof Uint8Array) return request.rawBody;
  if (request.body instanceof Uint8Array) return request.body;
  if (request.readableEnded) {
    throw new Error(
      'The body was parsed before it could be verified. Mount this route before express.json(), use express.raw({ type: "*/*" }) for it, or start Nest with { rawBody: true }.',
    );
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new BodyTooLarge(`The body is larger than ${MAX_BODY_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}
