/** Deliveries are far smaller; whoever sends more sends none. */
const MAX_BODY_BYTES = 1_048_576;

/** A request of Node's, as far as it matters here: a stream that a framework may have read already. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What a parser made of the body. */
  readonly body?: unknown;
  /** The bytes that were parsed, where the framework keeps them (Nest with `rawBody: true`). */
  readonly rawBody?: Uint8Array | undefined;
  readonly readableEnded?: boolean;
}

/** There is more body than a delivery has. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** The bytes as they came. @throws Error saying what to set up, when a parser has taken them */
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
