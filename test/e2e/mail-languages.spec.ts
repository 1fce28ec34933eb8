import { describe, expect, it } from '@jest/globals';
import type { TestBody } from '../support/http-client.js';
import { type MailboxMail, mailsTo } from '../support/mailbox.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { activeUser, sessionToken } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

describe('the message language', () => {
  const app = testApp();

  const acme = (settings: object, parentId?: string): Promise<TestBody> =>
    newOrganization(app, { name: 'Acme', settings, parentId });
  const newest = async (to: string, template: string): Promise<MailboxMail> => {
    const mail = (await mailsTo(app, to)).find((each) => each.template === template);
    if (!mail) throw new Error(`No mail "${template}" was sent to ${to}.`);
    return mail;
  };
  const invited = async (org: TestBody, fields: object = {}): Promise<MailboxMail> => {
    const email = newAddress();
    await made(app, `/v1/organizations/${org.id}/users`, { email, sendInvitation: true, ...fields });
    return newest(email, 'invitation');
  };

  it.each([
    ['the language of the user rather than of the organization', { locale: 'de-CH' }, 'en', 'de'],
    ['the language of the organization if the user has none', {}, 'de-AT', 'de'],
    ['the language of the organization if the user has an unavailable language', { locale: 'fr' }, 'de', 'de'],
    ['English if neither language is available', { locale: 'fr' }, 'it', 'en'],
  ])('is %s', async (_, fields, defaultLocale, language) => {
    const { html, subject } = await invited(await acme({ defaultLocale }), fields);
    expect(html).toContain(`<html lang="${language}">`);
    expect(subject).toBe(language === 'de' ? 'Sie sind zu Acme eingeladen' : "You're invited to join Acme");
  });

  it('is the language of the user in all emails about the account', async () => {
    const org = await acme({ mfaMethods: ['email', 'sms'] });
    const email = newAddress();
    const user = await activeUser(app, org.id, { email, locale: 'de' });
    const client = app.api.as(await sessionToken(app, org.id, email));
    const phoneNumber = '+4915112345678';
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org.id, email }).expect(202);
    await client.post('/v1/auth/mfa/email', {}).expect(200);
    await client.post('/v1/auth/mfa/sms', { phoneNumber }).expect(200);
    await app.api.platform.patch(`/v1/organizations/${org.id}/users/${user.id}`, { email: `new-${email}` }).expect(200);

    expect((await newest(email, 'password_reset')).subject).toBe('Passwort für Acme zurücksetzen');
    expect((await newest(email, 'security_code')).subject).toBe('Ihr Bestätigungscode für Acme');
    expect((await newest(phoneNumber, 'security_code')).text).toMatch(/^\d{6} ist Ihr Bestätigungscode für Acme\. Geben Sie/);
    for (const address of [email, `new-${email}`])
      expect((await newest(address, 'email_changed')).subject).toBe('Ihre E-Mail-Adresse bei Acme wurde geändert');
  });

  it('is the language of the sign-up request in the verification email', async () => {
    const org = await acme({ allowPublicSignup: true });
    const email = newAddress();
    const registration = { organization: org.id, email, password: 'lantern orbit velvet quarry', locale: 'de' };
    await app.api.anonymous.post('/v1/auth/sign-up', registration).expect(202);
    expect((await newest(email, 'email_verification')).subject).toBe('E-Mail-Adresse für Acme bestätigen');
  });

  it('is the language of the user in the email about a new membership', async () => {
    const top = await newOrganization(app);
    const child = await acme({ defaultLocale: 'de' }, top.id);
    const email = newAddress();
    const { id: userId } = await made(app, `/v1/organizations/${top.id}/users`, { email, locale: 'en' });
    await made(app, `/v1/organizations/${child.id}/members`, { userId, role: 'viewer', sendNotification: true });
    expect((await newest(email, 'member_added')).subject).toBe("You're now a member of Acme");
  });

  it('is the language of each recipient when several owners get an email', async () => {
    const org = await acme({ defaultLocale: 'de' });
    const owners = [newAddress(), newAddress()];
    await made(app, `/v1/organizations/${org.id}/users`, { email: owners[0], roles: ['owner'] });
    await made(app, `/v1/organizations/${org.id}/users`, { email: owners[1], roles: ['owner'], locale: 'en' });
    const requester = await signedIn(app, org.id, { roles: ['admin'] });
    const request = { reason: 'The database is full.', durationSeconds: 3_600 };
    await requester.client.post(`/v1/organizations/${org.id}/break-glass`, request).expect(201);

    const [inGerman, inEnglish] = await Promise.all(owners.map((owner) => newest(owner, 'break_glass_requested')));
    expect(inGerman!.subject).toBe('Notfallzugriff beantragt (Acme)');
    expect(inGerman!.text).toContain('beantragt für 60 Minuten die Berechtigungen eines Eigentümers von Acme');
    expect(inEnglish!.subject).toBe('Break-glass access requested (Acme)');
    expect(inEnglish!.text).toContain('Reason: The database is full.');
  });
});
