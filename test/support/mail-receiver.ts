import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.js';

interface ReceivedMail {
  /** The sender of the SMTP envelope. */
  from: string;
  to: string[];
  /** The headers by name in lower case. Folded lines are joined. */
  headers: Record<string, string>;
  text: string;
  html: string;
  attachments: unknown[];
  raw: string;
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
      const raw = await buffer(stream);
      const { headers, text = '', html = '', attachments } = await PostalMime.parse(raw);
      mails.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
        text,
        html,
        attachments,
        raw: raw.toString('utf8'),
      });
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
