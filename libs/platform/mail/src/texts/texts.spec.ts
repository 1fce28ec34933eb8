import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { placeholdersOf } from '../../../../../test/support/message-placeholders.js';
import { sized } from '../../../../../test/support/test-size.js';
import type { MailContent } from '../outbox/message-content.js';
import { accountAccessMail, type AccountObstacle } from '../templates/account-access-mail.js';
import { accountExistsMail } from '../templates/account-exists-mail.js';
import { breakGlassMail } from '../templates/break-glass-mail.js';
import { emailChangeConfirmationMail } from '../templates/email-change-confirmation-mail.js';
import { emailChangedMail } from '../templates/email-changed-mail.js';
import { emailVerificationMail } from '../templates/email-verification-mail.js';
import { impersonationMail } from '../templates/impersonation-mail.js';
import { invitationMail } from '../templates/invitation-mail.js';
import { memberAddedMail } from '../templates/member-added-mail.js';
import { passwordResetMail } from '../templates/password-reset-mail.js';
import { securityCodeMail, securityCodeSms } from '../templates/security-code.js';
import { type SecurityNotice, securityNoticeMail } from '../templates/security-notice-mail.js';
import { signInLinksMail } from '../templates/sign-in-links-mail.js';
import { scimStoppedMail } from '../templates/scim-mails.js';
import { webhookDisabledMail, webhookFailingMail } from '../templates/webhook-mails.js';
import { MAIL_LANGUAGES, mailLocale, type TextId, textsFor } from './texts.js';

const TEMPLATES = join(import.meta.dirname, '../templates');
const catalog = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${language}.json`), 'utf8'));
const english = catalog('en');

const at = new Date('2026-03-08T12:00:00.000Z');
const link = 'https://id.example.com/page?token=abc';
const code = '123456';
const OBSTACLES: readonly AccountObstacle[] = [
  { kind: 'sso_required', providers: [], link },
  { kind: 'sso_required', providers: ['Okta', 'Entra ID'], link },
  { kind: 'other_organization', link },
  { kind: 'suspended' },
  { kind: 'not_invited' },
];
const NOTICES: readonly SecurityNotice[] = [
  { kind: 'password_changed' },
  { kind: 'email_change_requested', to: 'ada@new.example', link },
  ...(['totp', 'passkey', 'email', 'sms'] as const).map((method) => ({ kind: 'factor_added' as const, method })),
  ...(['totp', 'passkey', 'email', 'sms'] as const).map((method) => ({ kind: 'factor_removed' as const, method })),
  { kind: 'factors_removed' },
  ...[0, 1, 9].map((left) => ({ kind: 'recovery_code_used' as const, left })),
  { kind: 'recovery_codes_renewed' },
];

/** Returns every mail by title, with a value for each of its placeholders. All names in the mails are `name`. */
function mailsWith(name: string): Readonly<Record<string, (locale: string) => MailContent>> {
  const organizationName = name;
  const webhook = { organizationName, webhookName: name, url: name };
  const emergency = { organizationName, requesterEmail: name, reason: name, durationSeconds: 3600 };
  const support = { organizationName, impersonatorEmail: name, userEmail: name, reason: name, durationSeconds: 3600, endsAt: at };
  const verification = { organizationName, link, expiresAt: at };
  return {
    'account exists': (locale) => accountExistsMail({ locale, organizationName, link }),
    ...Object.fromEntries(
      OBSTACLES.map((obstacle) => [
        `account access ${JSON.stringify(obstacle)}`,
        (locale: string) => accountAccessMail({ locale, organizationName, obstacle }),
      ]),
    ),
    'break-glass request': (locale) => breakGlassMail({ locale, ...emergency, endsAt: null }),
    'break-glass approval': (locale) => breakGlassMail({ locale, ...emergency, endsAt: at }),
    ...Object.fromEntries(
      (['requested', 'approval', 'started', 'ended'] as const).map((notice) => [
        `impersonation ${notice}`,
        (locale: string) => impersonationMail({ locale, notice, link, ...support }),
      ]),
    ),
    'email change confirmation': (locale) => emailChangeConfirmationMail({ locale, ...verification, from: name }),
    'email changed': (locale) => emailChangedMail({ locale, organizationName, from: name, to: name }),
    'email verification at sign-up': (locale) => emailVerificationMail({ locale, ...verification, occasion: 'sign_up' }),
    'email verification': (locale) => emailVerificationMail({ locale, ...verification, occasion: 'address' }),
    invitation: (locale) => invitationMail({ locale, ...verification }),
    'member added': (locale) => memberAddedMail({ locale, organizationName, roleName: name, link }),
    'password reset': (locale) => passwordResetMail({ locale, ...verification }),
    'SCIM connection stopped': (locale) =>
      scimStoppedMail({ locale, organizationName, connectionName: name, removedUsers: 100, url: 'https://id.example.com/' }),
    'security code': (locale) => securityCodeMail({ locale, organizationName, code, expiresAt: at }),
    ...Object.fromEntries(
      NOTICES.map((notice) => [
        `security notice ${JSON.stringify(notice)}`,
        (locale: string) => securityNoticeMail({ locale, organizationName, notice, at }),
      ]),
    ),
    'sign-in links': (locale) =>
      signInLinksMail({
        locale,
        organizationName,
        email: 'ada@example.com',
        organizations: [
          { name, link },
          { name, link },
        ],
      }),
    'webhook failing': (locale) => webhookFailingMail({ locale, ...webhook, failingSince: at, disabledAt: at }),
    'webhook disabled after failures': (locale) => webhookDisabledMail({ locale, ...webhook, reason: 'failures' }),
    'webhook disabled after 410': (locale) => webhookDisabledMail({ locale, ...webhook, reason: 'gone' }),
  };
}

const MAILS = mailsWith('Acme');

describe('text catalog', () => {
  it.each(MAIL_LANGUAGES.filter((language) => language !== 'en'))(
    'matches the English IDs and placeholders in %s',
    (language) => {
      const shapes = (texts: Record<string, string>) =>
        Object.fromEntries(Object.entries(texts).map(([id, message]) => [id, placeholdersOf(message)]));
      expect(shapes(catalog(language))).toEqual(shapes(english));
      expect(Object.keys(catalog(language))).toEqual(Object.keys(english));
    },
  );

  it('contains only texts that a template uses', () => {
    const sources = readdirSync(TEMPLATES)
      .filter((file) => !file.endsWith('.spec.ts'))
      .map((file) => readFileSync(join(TEMPLATES, file), 'utf8'))
      .join('\n');
    expect(Object.keys(english).filter((id) => !sources.includes(`'${id}'`))).toEqual([]);
  });
});

describe.each(MAIL_LANGUAGES)('mail text in language %s', (language) => {
  it.each(Object.entries(MAILS))('fills all placeholders of the mail "%s"', (_, write) => {
    const { subject, text, html } = write(language);
    // The HTML has no style element, so braces can only come from a message.
    for (const part of [subject, text, html]) expect(part).not.toMatch(/[{}]|undefined|null|\[object/);
    expect(html).toContain(`<html lang="${language}">`);
  });

  it('fits the security code into two SMS messages', () => {
    const sms = securityCodeSms({ locale: language, organizationName: 'Acme', code });
    expect(sms).toMatch(/^123456 .*Acme/);
    expect(sms).not.toMatch(/[{}]/);
    expect(sms.length).toBeLessThanOrEqual(2 * 67);
  });

  it('requires a value for each placeholder', () => {
    const { text } = textsFor(language);
    expect(() => text('invitation.subject')).toThrow('organizationName');
    expect(() => text('no.such.text' as TextId)).toThrow('no.such.text');
  });

  it('shows times in UTC', () => {
    const moment = textsFor(language).moment(new Date('2026-01-31T23:59:00+02:00'));
    expect(moment).toMatch(/31.*2026.*(21|9):59.*UTC$/);
  });
});

it('each mail keeps its lines and its HTML structure for any names', () => {
  const shapeOf = ({ html, text }: MailContent) => ({ tags: html.match(/<[^>]*>/g), lines: text.split('\n').length });
  const expected = Object.entries(MAILS).map(([title, write]) => ({ title, ...shapeOf(write('en')) }));
  const parts = ['\r\n', '\0', 'Bcc: a@b.example', '<script>', '"', "'", '>', '&', '</a>', ' ', '\u202e', '\u2028', '\ud800'];
  const anyName = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string()), { minLength: 10, maxLength: 20 });
  fc.assert(
    fc.property(anyName, (name) => {
      const mails = Object.entries(mailsWith(`x${name.join('')}x`)).map(([title, write]) => ({ title, ...write('en') }));
      expect(mails.filter(({ subject }) => /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(subject))).toEqual([]);
      expect(mails.map((mail) => ({ title: mail.title, ...shapeOf(mail) }))).toEqual(expected);
      expect(mails.every(({ subject, text, html }) => (subject + text + html).isWellFormed())).toBe(true);
    }),
    { numRuns: sized(10, 100, 100) },
  );
});

it('each mail differs between German and English', () => {
  for (const write of Object.values(MAILS)) expect(write('de').text).not.toBe(write('en').text);
});

describe('mailLocale', () => {
  it.each([
    [['de', 'en'], 'de'],
    [['de-AT', 'en'], 'de-AT'],
    [[null, 'de'], 'de'],
    [['fr', 'de'], 'de'],
    [['fr', 'it'], 'en'],
    [['den', null], 'en'],
    [[null, undefined], 'en'],
    [[], 'en'],
  ])('maps the preferences %j to the locale %s', (preferred, locale) => {
    expect(mailLocale(...preferred)).toBe(locale);
  });
});
