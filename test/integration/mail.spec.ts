import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock, systemContext } from '#platform/common';
import { configWith, type Settings } from '#platform/config';
import { SecretSealer } from '#platform/crypto';
import { Notifications, TransactionRunner } from '#platform/database';
import { invitationMail, MessageOutbox } from '#platform/mail';
import { MessageLeaseQuery } from '../../libs/platform/mail/src/outbox/message-lease.query.js';
import { MessageCarriers } from '../../libs/platform/mail/src/sending/message-carriers.js';
import { MessageSender } from '../../libs/platform/mail/src/sending/message-sender.js';
import { startApp } from '../support/app.js';
import { eventually } from '../support/delivery-app.js';
import { startMailReceiver } from '../support/mail-receiver.js';
import { startReceiver } from '../support/receiver.js';
import { testServer } from '../support/test-server.js';

const MINUTE_MS = 60_000;
const ctx = systemContext('test');
const link = 'https://id.example.com/accept-invitation?token=secret-in-the-link';
const content = invitationMail({
  locale: 'en',
  organizationName: 'Ærø & Søn <株式会社>',
  link,
  expiresAt: new Date('2026-03-08T12:00:00Z'),
});

let refusalStatus: number | undefined;
const mailServer = testServer(() => startMailReceiver(() => refusalStatus));
/** Stores messages, and sends no messages. */
const app = testServer(() =>
  startApp({ role: 'api', smtpUrl: mailServer.url, mailFrom: 'Identity service <no-reply@id.example.com>' }),
);
let now: Date;

beforeEach(() => {
  app.app.get(Clock).now = () => now;
  now = new Date('2026-03-01T12:00:00.000Z');
  refusalStatus = undefined;
  mailServer.mails.length = 0;
});

afterEach(() => query('DELETE FROM messages'));

const query = (sql: string, parameters: unknown[] = []) => app.database.query(sql, parameters);

const sendMail = (to = 'ada@example.com', changes: object = {}): Promise<string> =>
  app.app.get(TransactionRunner).run(ctx, (ctx) =>
    app.app.get(MessageOutbox).sendMail(ctx, {
      tenantId: 'org_1',
      organizationId: 'org_1',
      template: 'invitation',
      to,
      content: { ...content, ...changes },
    }),
  );

const sendSms = (to = '+4915112345678', text = 'Your code is 123456.'): Promise<string> =>
  app.app
    .get(TransactionRunner)
    .run(ctx, (ctx) => app.app.get(MessageOutbox).sendSms(ctx, { tenantId: 'org_1', template: 'code', to, text }));

/** Creates a sender, but does not start its background loops. Tests call `sendDue` to send messages. */
const newSender = (changes: Partial<Settings> = {}, sealer = app.app.get(SecretSealer)): MessageSender => {
  const changed = configWith(app.config, changes);
  const messages = app.app.get(MessageLeaseQuery, { strict: false });
  return new MessageSender(
    messages,
    MessageCarriers.of(changed),
    sealer,
    app.app.get(Clock),
    changed,
    app.app.get(Notifications),
  );
};

const rowOf = async (id: string) => (await query('SELECT * FROM messages WHERE id = $1', [id]))[0]!;

describe('MessageOutbox', () => {
  it('stores an encrypted message in the transaction of the change', async () => {
    const id = await sendMail();
    const failed = app.app.get(TransactionRunner).run(ctx, async (ctx) => {
      await app.app.get(MessageOutbox).sendSms(ctx, { tenantId: 'org_1', template: 'code', to: '+4915112345678', text: 'x' });
      throw new Error('failed afterwards');
    });
    await expect(failed).rejects.toThrow('failed afterwards');

    expect(await query('SELECT id FROM messages')).toEqual([{ id }]);
    expect(JSON.stringify(await rowOf(id))).not.toMatch(/secret-in-the-link|Søn/);
    const outside = app.app
      .get(MessageOutbox)
      .sendMail(ctx, { tenantId: 'org_1', template: 'x', to: 'ada@example.com', content });
    await expect(outside).rejects.toThrow('transaction');
  });

  it.each([
    'ada@example.com, eve@example.com',
    'Ada <ada@example.com>',
    'ada@example.com\r\nBcc: eve@example.com',
    '"a b"@example.com',
    '',
  ])('rejects the email address %j', async (to) => expect(sendMail(to)).rejects.toThrow('plain email address'));

  it.each(['015112345678', '+49 151 12345678', '+49151;12345678', ''])('rejects the phone number %j', async (to) =>
    expect(sendSms(to)).rejects.toThrow('phone number'),
  );
});

describe('MessageSender', () => {
  it('sends an email with equivalent text and HTML', async () => {
    const id = await sendMail('ada@bücher.example', { subject: `${content.subject}\r\nBcc: eve@example.com` });

    expect(await newSender().sendDue('email')).toBe(1);

    const [mail] = mailServer.mails;
    expect(mail).toMatchObject({ from: 'no-reply@id.example.com', to: ['ada@bücher.example'] });
    expect(mail?.headers).toMatchObject({
      from: 'Identity service <no-reply@id.example.com>',
      to: 'ada@xn--bcher-kva.example',
      'message-id': `<${id}@id.example.com>`,
      'mime-version': '1.0',
      'auto-submitted': 'auto-generated',
    });
    expect(mail?.headers['content-type']).toMatch(/^multipart\/alternative; boundary=/);
    expect(mail?.headers['bcc']).toBeUndefined();
    expect(mail?.headers['subject']).toMatch(/^=\?UTF-8\?/);
    expect([mail?.text.trimEnd(), mail?.html.trimEnd()]).toEqual([content.text.trimEnd(), content.html.trimEnd()]);
    expect(await rowOf(id)).toMatchObject({ status: 'sent', sent_at: now, attempt_count: 1, lease_owner: null });
    expect(await newSender().sendDue('email')).toBe(0);
  });

  it('creates no email header from a subject or an organization name', async () => {
    const breaks = ['\r\n', '\n', '\r', '\r\n\r\n', '\u0085', '\u2028', '\v', '\f', '\0'];
    const injected = ['Bcc: eve@example.com', '--boundary--', '=?utf-8?Q?=0D=0ABcc:_eve?='];
    const names = breaks.flatMap((end) => injected.map((line) => `Acme${end}${line}${end}株式会社 ${'x'.repeat(300)}`));
    for (const name of names) {
      const named = invitationMail({ locale: 'en', organizationName: name, link, expiresAt: now });
      await sendMail('ada@example.com', { ...named, subject: name });
    }
    for (let sent = 1; sent > 0;) sent = await newSender().sendDue('email');

    expect(mailServer.mails).toHaveLength(names.length);
    const own = ['auto-submitted', 'x-auto-response-suppress'];
    const wanted = ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to', ...own].sort();
    for (const { headers, text, html, attachments, raw, to } of mailServer.mails) {
      expect(to).toEqual(['ada@example.com']);
      expect(Object.keys(headers).sort()).toEqual(wanted);
      expect([text, html, attachments]).toEqual([expect.stringMatching(/Acme/), expect.stringMatching(/^<!doctype html>/i), []]);
      expect(raw.match(/^content-type: text\/(?:plain|html); charset=utf-8\r$/gim)).toHaveLength(2);
      expect(Number.isNaN(Date.parse(headers['date']!))).toBe(false);
      expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/);
      expect(raw).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
      expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
      const boundary = /boundary="([^"]+)"/.exec(headers['content-type']!)![1]!;
      expect(raw.split(`--${boundary}`)).toHaveLength(4);
      expect(raw.trimEnd().endsWith(`--${boundary}--`)).toBe(true);
    }
  });

  it('sends an SMS with the credentials of the gateway', async () => {
    const gateway = await startReceiver();
    const smsGatewayUrl = gateway.url.replace('http://', 'http://sms:p%40ss@');
    const id = await sendSms();

    await newSender({ smsGatewayUrl }).sendDue('sms');
    await gateway.stop();

    expect(gateway.requests).toHaveLength(1);
    const { method, headers, body } = gateway.requests[0]!;
    expect({ method, type: headers['content-type'], body: JSON.parse(body.toString()) as unknown }).toEqual({
      method: 'POST',
      type: 'application/json',
      body: { to: '+4915112345678', text: 'Your code is 123456.' },
    });
    expect(headers).toMatchObject({
      'idempotency-key': id,
      authorization: `Basic ${Buffer.from('sms:p@ss').toString('base64')}`,
    });
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
  });

  it('retries after an error of the mail server or gateway', async () => {
    const gateway = await startReceiver((_, index) => ({
      status: [500, 302, 200][index] ?? 200,
      headers: { location: '/elsewhere' },
    }));
    const sender = newSender({ smsGatewayUrl: gateway.url });
    refusalStatus = 451;
    const [mailId, smsId] = [await sendMail(), await sendSms()];
    const sendBoth = async () => (await sender.sendDue('email')) + (await sender.sendDue('sms'));

    expect(await sendBoth()).toBe(2);
    expect(await rowOf(mailId)).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      next_attempt_at: new Date(now.getTime() + MINUTE_MS),
    });
    expect((await rowOf(mailId))['last_error']).toMatch(/451 No mailbox <recipient>/);
    expect(await rowOf(smsId)).toMatchObject({ status: 'pending', last_error: 'The SMS gateway responded with status 500.' });

    now = new Date(now.getTime() + MINUTE_MS - 1);
    expect(await sendBoth()).toBe(0);
    now = new Date(now.getTime() + 1);
    refusalStatus = undefined;
    expect(await sendBoth()).toBe(2);
    expect(await rowOf(mailId)).toMatchObject({ status: 'sent', attempt_count: 2, last_error: null });
    expect(await rowOf(smsId)).toMatchObject({ status: 'pending', last_error: 'The SMS gateway responded with status 302.' });
    now = new Date(now.getTime() + 5 * MINUTE_MS);
    await sendBoth();
    expect(await rowOf(smsId)).toMatchObject({ status: 'sent', attempt_count: 3 });
    expect(gateway.requests).toHaveLength(3);
    await gateway.stop();
  });

  it('counts no attempt while SECRETS_KEY lacks the key of a message', async () => {
    const id = await sendMail();
    await newSender({}, new SecretSealer([randomBytes(32)])).sendDue('email');
    expect(await rowOf(id)).toMatchObject({
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: new Date(now.getTime() + MINUTE_MS),
      last_error: expect.stringContaining('is not in SECRETS_KEY'),
    });
  });

  it('gives up when the recipient is permanently rejected', async () => {
    refusalStatus = 550;
    const refusedId = await sendMail('nobody@example.com');
    await newSender().sendDue('email');
    expect(await rowOf(refusedId)).toMatchObject({ status: 'failed', attempt_count: 1 });

    const id = await sendMail();
    const sender = newSender({ smtpUrl: 'smtp://127.0.0.1:1' });
    for (const minutes of [1, 5, 30, 120, 360, 720]) {
      expect(await sender.sendDue('email')).toBe(1);
      now = new Date(now.getTime() + minutes * MINUTE_MS);
      expect((await rowOf(id))['next_attempt_at']).toEqual(now);
    }
    expect(await sender.sendDue('email')).toBe(1);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', attempt_count: 7 });
    expect((await rowOf(id))['last_error']).toContain('ECONNREFUSED');
    expect(await sender.sendDue('email')).toBe(0);
  });

  it('claims the messages of a killed sender after the lease', async () => {
    const messages = app.app.get(MessageLeaseQuery, { strict: false });
    const id = await sendMail();
    const killed = { owner: 'killed', until: new Date(now.getTime() + MINUTE_MS) };
    const [claimed] = await messages.claim(ctx, 'email', now, killed, 10);
    expect(claimed?.id).toBe(id);

    expect(await newSender().sendDue('email')).toBe(0);
    now = new Date(now.getTime() + MINUTE_MS);
    const [taken] = await messages.claim(ctx, 'email', now, { owner: 'next', until: new Date(now.getTime() + MINUTE_MS) }, 10);
    expect(taken).toMatchObject({ id, attemptCount: 2 });

    expect(await messages.finish(ctx, claimed!, 'killed', { status: 'failed', error: 'late', nextAttemptAt: null })).toBe(false);
    expect(await messages.finish(ctx, taken!, 'next', { status: 'sent', at: now, keepContent: false })).toBe(true);
    expect(await rowOf(id)).toMatchObject({ status: 'sent', last_error: null, content_sealed: '' });
  });

  it('sends each message once if several senders run', async () => {
    const senders = await Promise.all([1, 2, 3].map(() => startApp({ ...app.config, role: 'all' })));
    now = new Date();

    const ids = await Promise.all(Array.from({ length: 60 }, (_, index) => sendMail(`user${index}@example.com`)));
    const mails = await mailServer.waitFor(60, 40_000).finally(() => Promise.all(senders.map((sender) => sender.close())));

    expect(mails.map(({ headers }) => headers['message-id']).sort()).toEqual(ids.map((id) => `<${id}@id.example.com>`).sort());
    expect(await query(`SELECT DISTINCT status, attempt_count FROM messages`)).toEqual([{ status: 'sent', attempt_count: 1 }]);
  });

  it('fails an SMS if production has no gateway', async () => {
    const id = await sendSms();

    await newSender({ production: true }).sendDue('sms');

    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      last_error: expect.stringContaining('SMS_GATEWAY_URL is not set'),
    });
  });
});

describe('the development mailbox', () => {
  const withMailbox = async (changes: Partial<Settings>, use: (url: string) => Promise<void>): Promise<void> => {
    const server = await startApp({ ...app.config, role: 'all', smtpUrl: undefined, ...changes });
    await use(server.url).finally(() => server.close());
  };

  it('lists emails and SMS', async () => {
    now = new Date();
    const mailId = await sendMail();
    const smsId = await sendSms();
    await withMailbox({}, async (url) => {
      const listed = (await (await fetch(`${url}/dev/mailbox.json`)).json()) as {
        data: { id: string; links: string[]; status: string }[];
      };
      expect(listed.data).toMatchObject([
        { id: smsId, channel: 'sms', text: 'Your code is 123456.', html: null },
        { id: mailId, ...content, links: [link] },
      ]);
      const asJson = await fetch(`${url}/dev/mailbox?to=ADA@example.com`, { headers: { accept: 'application/json' } });
      expect(await asJson.json()).toMatchObject({ data: [{ id: mailId }] });

      const page = await fetch(`${url}/dev/mailbox`, { headers: { accept: 'text/html,*/*' } });
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(await page.text()).toContain(
        `<a href="/dev/mailbox/${mailId}">You&#39;re invited to join Ærø &amp; Søn &lt;株式会社&gt;</a>`,
      );
      const mail = await (await fetch(`${url}/dev/mailbox/${mailId}`)).text();
      expect(mail).toContain(`<a href="${link}">${link}</a>`);
      expect(mail).toContain(`<iframe title="HTML version of the email" src="/dev/mailbox/${mailId}/html" sandbox="`);
      const framed = await fetch(`${url}/dev/mailbox/${mailId}/html`);
      expect(framed.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups .*default-src 'none'/);
      expect((await framed.text()).replace('<base target="_blank">', '')).toBe(content.html);
      expect((await fetch(`${url}/dev/mailbox/${smsId}/html`)).status).toBe(404);
      expect((await fetch(`${url}/dev/mailbox/msg_unknown`)).status).toBe(404);

      await eventually(async () => (await rowOf(mailId))['status'] === 'sent', 20_000, 'the mail is sent');
      expect(mailServer.mails).toEqual([]);
    });
  });

  it('runs no script in a message', async () => {
    const evil =
      '<script>alert(1)</script>"\'><img src=x onerror=alert(1)> javascript:alert(1) https://x.example/"onclick="alert(1)';
    const id = await sendMail('eve@example.com', { subject: evil, text: evil, html: evil });
    await withMailbox({}, async (url) => {
      for (const path of ['/dev/mailbox', `/dev/mailbox/${id}`]) {
        const response = await fetch(url + path);
        const html = await response.text();
        expect(html).toContain('&lt;script&gt;');
        expect(html).not.toMatch(/<script|<img|"onclick="|href="javascript:/);
        expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      }
    });
  });

  it('does not exist in production', async () => {
    await withMailbox({ production: true, smtpUrl: mailServer.url }, async (url) => {
      for (const path of ['/dev/mailbox', '/dev/mailbox.json', '/dev/mailbox/x', '/dev/mailbox/x/html'])
        expect((await fetch(url + path)).status).toBe(404);
    });
  });
});
