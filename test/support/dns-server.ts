import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer as DnsRecord, decode, encode, type RecordType } from 'dns-packet';

const ANSWER_FLAGS = 0x180;
const CODES = { servfail: 2, nxdomain: 3 } as const;

/** The data of the records of a name, or the failure of its lookup. `silent` means no answer. */
export type DnsAnswer = readonly (string | readonly string[])[] | keyof typeof CODES | 'silent';

/** Starts a DNS server on UDP. `answerTo` returns the answers for all names. */
export async function startDnsServer(answerTo?: (type: RecordType) => DnsAnswer) {
  const answers = new Map<string, DnsAnswer>();
  let queryCount = 0;
  const socket = createSocket('udp4', (query, { port, address }) => {
    queryCount += 1;
    const { id, questions = [] } = decode(query);
    const { name, type } = questions[0]!;
    const answer = answerTo?.(type) ?? answers.get(name.toLowerCase()) ?? 'nxdomain';
    if (answer === 'silent') return;
    const flags = ANSWER_FLAGS | (typeof answer === 'string' ? CODES[answer] : 0);
    const records = (typeof answer === 'string' ? [] : answer).map((data) => ({ name, type, ttl: 0, data }) as DnsRecord);
    socket.send(encode({ type: 'response', id, flags, questions, answers: records }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queryCount: () => queryCount,
    /** Sets the records of a name. A TXT record of several strings is an array. Names without records do not exist. */
    set: (name: string, answer: DnsAnswer) => void answers.set(name, answer),
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}
