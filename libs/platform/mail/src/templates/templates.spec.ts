import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { invitationMail } from './invitation-mail.js';
import { escapeHtml } from '#platform/common';
import { singleLine } from './text.js';

const link = 'https://id.example.com/accept-invitation?token=abc&lang=en';
const expiresAt = new Date('2026-03-08T12:00:00.000Z');
const invitation = (changes: object = {}) =>
  invitationMail({ locale: 'en', organizationName: 'Acme', link, expiresAt, ...changes });

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

  it('ignores invalid colors and logos without https', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (primaryColor, logo) => {
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

  it.each(['javascript:alert(1)', '/accept-invitation', 'data:text/html,x'])('rejects the link %s', (invalidLink) => {
    expect(() => invitation({ link: invalidLink })).toThrow('http or https');
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
