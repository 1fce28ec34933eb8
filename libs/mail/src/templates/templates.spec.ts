import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { invitationMail } from './invitation-mail.js';
import { memberAddedMail } from './member-added-mail.js';
import { escapeHtml, momentText, singleLine } from './text.js';
import { webhookDisabledMail, webhookFailingMail } from './webhook-failing-mail.js';

const link = 'https://id.example.com/accept-invitation?token=abc&lang=en';
const expiresAt = new Date('2026-03-08T12:00:00.000Z');
const invitation = (changes: object = {}) => invitationMail({ organizationName: 'Acme', link, expiresAt, ...changes });

/** Any text at all, and texts made of what is dangerous in headers, HTML and lines. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\0',
        'Bcc: a@b.example',
        '<script>',
        '"',
        "'",
        '>',
        '&',
        '</a>',
        'x',
        ' ',
        '\u202e',
        '\u2028',
        '\ud800',
      ),
      {
        maxLength: 20,
      },
    )
    .map((parts) => parts.join('')),
);

/** The tags of a document, without what stands between them. */
const tagsOf = (html: string): string[] => html.match(/<[^>]*>/g) ?? [];

describe('invitationMail', () => {
  it('says who invites, where to go and until when, in text and HTML', () => {
    const { subject, text, html } = invitation();

    expect(subject).toBe('You are invited to join Acme');
    for (const content of [text, html]) {
      expect(content).toContain('An account was created for you at Acme.');
      expect(content).toContain('until 8 March 2026 at 12:00 UTC');
    }
    expect(text).toContain(`\n${link}\n`);
    expect(html).toContain(`href="${link.replace('&', '&amp;')}"`);
    expect(html).toContain('<html lang="en">');
  });

  it('keeps its structure whatever the name of the organization is', () => {
    const expected = tagsOf(invitation().html);
    fc.assert(
      fc.property(anyText, (organizationName) => {
        const { subject, text, html } = invitation({ organizationName });
        expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        expect(tagsOf(html)).toEqual(expected);
        expect(html).not.toContain('<script');
        expect(text.split('\n')).toHaveLength(invitation().text.split('\n').length);
        expect([subject, text, html].every((content) => content.isWellFormed())).toBe(true);
      }),
    );
  });

  it('uses only colours that are colours and pictures over https', () => {
    fc.assert(
      fc.property(anyText, anyText, (primaryColor, logo) => {
        expect(invitation({ primaryColor, logo }).html).toBe(invitation().html);
      }),
    );
    expect(invitation({ logo: 'javascript:alert(1)' }).html).not.toContain('<img');
    expect(invitation({ logo: 'http://acme.example/logo.png' }).html).not.toContain('<img');
    const branded = invitation({
      logo: 'https://acme.example/logo.png?a="onerror=',
      primaryColor: '#FFD400',
      organizationName: 'A"b',
    }).html;
    expect(branded).toContain('<img src="https://acme.example/logo.png?a=%22onerror=" alt="A&quot;b"');
    expect(branded).toContain('background:#FFD400;color:#000000');
  });

  it.each([
    ['#ffffff', '#000000'],
    ['#000000', '#ffffff'],
    ['#1f4fd8', '#ffffff'],
    ['#ffff00', '#000000'],
  ])('writes on %s in %s', (primaryColor, color) => {
    expect(invitation({ primaryColor }).html).toContain(`background:${primaryColor};color:${color}`);
  });

  it("takes the product's colour where the organization has none", () => {
    expect(invitation().html).toContain('background:#2d4b81;color:#ffffff');
  });

  it.each(['javascript:alert(1)', '/accept-invitation', 'data:text/html,x'])('refuses the link %s', (wrong) => {
    expect(() => invitation({ link: wrong })).toThrow('http or https');
  });
});

describe('memberAddedMail', () => {
  it('names organization and role, and keeps its structure whatever they are', () => {
    const mail = memberAddedMail({ organizationName: 'Acme', roleName: 'viewer', link });
    expect(mail.text).toContain('added to Acme, with the role "viewer"');

    fc.assert(
      fc.property(anyText, anyText, (organizationName, roleName) => {
        const { subject, html } = memberAddedMail({ organizationName, roleName, link });
        expect(subject).not.toMatch(/\p{Cc}/u);
        expect(tagsOf(html)).toEqual(tagsOf(mail.html));
      }),
    );
  });
});

describe('mails about webhooks', () => {
  const webhook = { organizationName: 'Acme', webhookName: 'Billing', url: 'https://hooks.example/' };
  const failing = (changes: object = {}) =>
    webhookFailingMail({ ...webhook, failingSince: new Date(0), disabledAt: new Date(432_000_000), ...changes });
  const disabled = (reason: 'failures' | 'gone', changes: object = {}) => webhookDisabledMail({ ...webhook, reason, ...changes });

  it('say since when, until when and why, and keep their structure whatever the names are', () => {
    expect(failing().text).toContain('Since 1 January 1970 at 00:00 UTC, every delivery to https://hooks.example/ has failed.');
    expect(failing().text).toContain('switched off at about 6 January 1970 at 00:00 UTC');
    expect(disabled('failures').text).toContain('as soon as it is taken, the webhook is switched on again');
    expect(disabled('gone').text).toContain('gone for good (410)');
    fc.assert(
      fc.property(anyText, anyText, anyText, (organizationName, webhookName, url) => {
        const names = { organizationName, webhookName, url };
        for (const [mail, plain] of [
          [failing(names), failing()],
          [disabled('gone', names), disabled('gone')],
        ] as const) {
          expect(mail.subject).not.toMatch(/\p{Cc}/u);
          expect(tagsOf(mail.html)).toEqual(tagsOf(plain.html));
        }
      }),
    );
  });
});

describe('a mail without an action', () => {
  it('holds no link', () => {
    const { text, html } = memberAddedMail({ organizationName: 'Acme', roleName: 'viewer' });
    expect(text).toContain('You sign in as before.\n\n-- \nIf you do not know Acme');
    expect(html).not.toMatch(/<a|href|undefined/);
  });
});

describe('text of templates', () => {
  it.each([
    ['<a href="x">&\'', '&lt;a href=&quot;x&quot;&gt;&amp;&#39;'],
    ['&lt;', '&amp;lt;'],
  ])('escapes %j', (text, escaped) => expect(escapeHtml(text)).toBe(escaped));

  it.each([
    ['Acme\r\nBcc: victim@example.com', 'Acme Bcc: victim@example.com'],
    ['  A\u2028B\t\0C  ', 'A B C'],
    ['gpj\u202e.exe', 'gpj.exe'],
    ['👩‍💻 Søren & 株式会社', '👩‍💻 Søren & 株式会社'],
  ])('makes one line of %j', (text, line) => expect(singleLine(text)).toBe(line));

  it('writes moments in UTC', () =>
    expect(momentText(new Date('2026-01-31T23:59:00+02:00'))).toBe('31 January 2026 at 21:59 UTC'));
});
