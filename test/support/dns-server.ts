import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TXT = 16;
const ANSWER_FLAGS = 0x8180;
const CODES = { servfail: 2, nxdomain: 3 } as const;
const HEADER_BYTES = 12;
const TTL_SECONDS = 0;

/** The TXT records of a name, or the failure of its lookup. `silent` means no answer. */
type Answer = readonly (string | readonly string[])[] | keyof typeof CODES | 'silent';

/** Starts a DNS server that answers questions for TXT records over UDP. */
export async function startDnsServer() {
  const answers = new Map<string, Answer>();
  const socket = createSocket('udp4', (query, { port, address }) => {
    const { name, end } = questionOf(query);
    const answer = answers.get(name.toLowerCase()) ?? 'nxdomain';
    if (answer !== 'silent') socket.send(responseTo(query, end, answer), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** Sets the TXT records of a name. A record of several strings is an array. Names without records do not exist. */
    set: (name: string, answer: Answer) => void answers.set(name, answer),
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 5 };
}

function responseTo(query: Buffer, questionEnd: number, answer: Exclude<Answer, 'silent'>): Buffer {
  const records = typeof answer === 'string' ? [] : answer.map((strings) => recordOf([strings].flat()));
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(ANSWER_FLAGS + (typeof answer === 'string' ? CODES[answer] : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...records]);
}

function recordOf(strings: readonly string[]): Buffer {
  const data = Buffer.concat(strings.map((text) => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])));
  const head = Buffer.alloc(HEADER_BYTES);
  // A pointer to the name in the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(TTL_SECONDS, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
