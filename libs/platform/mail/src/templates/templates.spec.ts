import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { invitationMail } from './invitation-mail.js';
import { memberAddedMail } from './member-added-mail.js';
import { escapeHtml, singleLine } from './text.js';
import { webhookDisabledMail, webhookFailingMail } from './webhook-mails.js';

const link = 'https://id.example.com/accept-invitation?token=abc&lang=en';
const expiresAt = new Date('2026-03-08T12:00:00.000Z');
const invitation = (changes: object = {}) =>
  invitationMail({ locale: 'en', organizationName: 'Acme', link, expiresAt, ...changes });

/** Generates any text, and text with parts that are dangerous in headers, HTML and lines. */
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

const tagsOf = (html: string): string[] => html.match(/<[^>]*>/g) ?? [];

describe('invitationMail', () => {
  it('contains the organization, the link and the expiry', () => {
    const { subject, text, html } = invitation();

    expect(subject).toBe("You're invited to join Acme");
    for (const content of [text, html]) {
      expect(content).toContain('An account was created for you at Acme.');
      expect(content).toContain('expires on March 8, 2026 at 12:00 PM UTC');
    }
    expect(text).toContain(`\n${link}\n`);
    expect(html).toContain(`href="${link.replace('&', '&amp;')}"`);
    expect(html).toContain('<html lang="en">');
  });

  it.each([
    ['de', 'de', 'Sie sind zu Acme eingeladen', 'bis zum 8. März 2026 um 12:00 UTC gültig'],
    ['de-AT', 'de', 'Sie sind zu Acme eingeladen', 'bis zum 8. März 2026 um 12:00 UTC gültig'],
    ['en-GB', 'en', "You're invited to join Acme", 'expires on 8 March 2026 at 12:00 UTC'],
    ['fr', 'en', "You're invited to join Acme", 'expires on March 8, 2026 at 12:00 PM UTC'],
  ])('maps the locale %s to the language %s', (locale, language, subject, expiry) => {
    const mail = invitation({ locale });
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain(expiry);
    expect(mail.html).toContain(expiry);
    expect(mail.html).toContain(`<html lang="${language}">`);
  });

  it('keeps the HTML structure for any organization name', () => {
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

  it('ignores invalid colors and logos without https', () => {
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
  ])('combines the button color %s with the text color %s', (primaryColor, color) => {
    expect(invitation({ primaryColor }).html).toContain(`background:${primaryColor};color:${color}`);
  });

  it('uses the default button color for an organization without a color', () => {
    expect(invitation().html).toContain('background:#2d4b81;color:#ffffff');
  });

  it.each(['javascript:alert(1)', '/accept-invitation', 'data:text/html,x'])('rejects the link %s', (invalidLink) => {
    expect(() => invitation({ link: invalidLink })).toThrow('http or https');
  });
});

describe('memberAddedMail', () => {
  it('keeps the HTML structure for any names', () => {
    const mail = memberAddedMail({ locale: 'en', organizationName: 'Acme', roleName: 'viewer', link });
    expect(mail.text).toContain('added to Acme with the role "viewer"');

    fc.assert(
      fc.property(anyText, anyText, (organizationName, roleName) => {
        const { subject, html } = memberAddedMail({ locale: 'en', organizationName, roleName, link });
        expect(subject).not.toMatch(/\p{Cc}/u);
        expect(tagsOf(html)).toEqual(tagsOf(mail.html));
      }),
    );
  });
});

describe('webhook mail', () => {
  const webhook = { locale: 'en', organizationName: 'Acme', webhookName: 'Billing', url: 'https://hooks.example/' };
  const failing = (changes: object = {}) =>
    webhookFailingMail({ ...webhook, failingSince: new Date(0), disabledAt: new Date(432_000_000), ...changes });
  const disabled = (reason: 'failures' | 'gone', changes: object = {}) => webhookDisabledMail({ ...webhook, reason, ...changes });

  it('contains the times and the reason for any names', () => {
    expect(failing().text).toContain(
      'All deliveries to https://hooks.example/ have failed since January 1, 1970 at 12:00 AM UTC.',
    );
    expect(failing().text).toContain('disabled at about January 6, 1970 at 12:00 AM UTC');
    expect(disabled('failures').text).toContain('the webhook is enabled automatically');
    expect(disabled('gone').text).toContain('responded with 410 Gone');
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

describe('action link', () => {
  it('is missing if the mail has no action', () => {
    const { text, html } = memberAddedMail({ locale: 'en', organizationName: 'Acme', roleName: 'viewer' });
    expect(text).toContain("Sign in as usual.\n\n-- \nIf you don't know Acme");
    expect(html).not.toMatch(/<a|href|undefined/);
  });
});

describe('template text', () => {
  it.each([
    ['<a href="x">&\'', '&lt;a href=&quot;x&quot;&gt;&amp;&#39;'],
    ['&lt;', '&amp;lt;'],
  ])('escapeHtml escapes %j', (text, escaped) => expect(escapeHtml(text)).toBe(escaped));

  it.each([
    ['Acme\r\nBcc: victim@example.com', 'Acme Bcc: victim@example.com'],
    ['  A\u2028B\t\0C  ', 'A B C'],
    ['gpj\u202e.exe', 'gpj.exe'],
    ['👩‍💻 Søren & 株式会社', '👩‍💻 Søren & 株式会社'],
  ])('singleLine converts %j to one line', (text, line) => expect(singleLine(text)).toBe(line));
});
