import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.js';

interface MimePart {
  /** The headers by name in lower case. Folded lines are joined. */
  headers: Record<string, string>;
  /** The decoded body. For a multipart message, everything after the headers. */
  body: string;
}

interface ReceivedMail extends MimePart {
  /** The sender of the SMTP envelope. */
  from: string;
  to: string[];
  raw: string;
  /** The parts of a multipart message by content type, for example `text/plain`. */
  parts: Record<string, MimePart>;
}

/** Starts an SMTP server on 127.0.0.1 that stores every email. If `refusal` returns an SMTP status, the server rejects the recipient. */
export async function startMailReceiver(refusal: (address: string) => number | undefined = () => undefined) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: ({ address }, _session, callback) => {
      const status = refusal(address);
      callback(status === undefined ? null : Object.assign(new Error(`No mailbox ${address}`), { responseCode: status }));
    },
    onData: async (stream, { envelope: { mailFrom, rcptTo } }, callback) => {
      const from = mailFrom ? mailFrom.address : '';
      mails.push(
        mailOf(
          await buffer(stream),
          from,
          rcptTo.map(({ address }) => address),
        ),
      );
      callback();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');

  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    /** Resolves to all received emails when the number is at least `count`. Rejects after `timeoutMs`. */
    waitFor: async (count: number, timeoutMs: number) => {
      await eventually(() => mails.length >= count, timeoutMs, `${count} mails`);
      return mails;
    },
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

function mailOf(raw: Buffer, from: string, to: string[]): ReceivedMail {
  // Latin-1 maps each byte to one character until the part is decoded.
  const whole = partOf(raw.toString('latin1'));
  const boundary = /boundary="([^"]+)"/.exec(whole.headers['content-type'] ?? '')?.[1];
  const pieces = boundary === undefined ? [] : whole.body.split(`--${boundary}`).slice(1, -1);
  const parts = pieces.map((piece) => partOf(piece.replace(/^\r\n/, '').replace(/\r\n$/, '')));
  const byType = parts.map((part) => [part.headers['content-type']?.split(';')[0] ?? '', part] as const);
  return { ...whole, from, to, raw: raw.toString('utf8'), parts: Object.fromEntries(byType) };
}

function partOf(text: string): MimePart {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { headers, body: decoded(text.slice(end + 4), headers['content-transfer-encoding'] ?? '7bit') };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
