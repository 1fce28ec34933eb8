/** A server-sent event. A message without data has only the current position of the stream. */
export interface StreamedMessage {
  readonly id: string | undefined;
  readonly data: string;
}

/**
 * Yields the messages of a stream (HTML standard). Unlike the standard, yields messages without data, so that a client without any
 * event can continue after the ID of such a message.
 */
export async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedMessage, void, undefined> {
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of linesIn(body)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (line === '') {
      if (id !== undefined || data.length > 0) yield { id, data: data.join('\n') };
      id = undefined;
      data = [];
    } else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
}

async function* linesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let incompleteLine = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (incompleteLine + decoder.decode(value, { stream: true })).split('\n');
      incompleteLine = lines.pop()!;
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
