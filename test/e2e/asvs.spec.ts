import { describe, expect, it } from '@jest/globals';
import { PasswordHasher } from '#platform/crypto';
import { startApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { identityProvider, oidcSignIn } from '../support/oidc.js';
import { newAddress, newOrganization } from '../support/organizations.js';
import { startScriptedProvider } from '../support/scripted-identity-provider.js';
import { freshCode, userWithTotp, verify } from '../support/second-factors.js';
import { activeUser, from, later, login, mailedToken, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const NEW_PASSWORD = 'marble thicket cobalt ferry';
const YEAR_MS = 365 * 24 * 3_600_000;

/** Requirements of OWASP ASVS 5.0 that no other test covers. docs/security/asvs.md lists all requirements. */
describe('the service', () => {
  const app = testApp({ trustProxy: ['127.0.0.1'] });

  const createUser = (org: TestBody, password: string = PASSWORD): Promise<TestBody> =>
    activeUser(app, org.id, { email: newAddress(), password });

  describe('a password', () => {
    it('is compared exactly, including case, surrounding spaces and bytes after the 72nd', async () => {
      const org = await newOrganization(app);
      const long = `${PASSWORD} marble thicket cobalt ferry lantern orbit velvet quarry amber`;
      const padded = ` ${PASSWORD} `;
      for (const [password, others] of [
        [long, [long.slice(0, 72), `${long} `, long.replace('amber', 'Amber')]],
        [padded, [PASSWORD, padded.trimStart(), padded.toUpperCase()]],
      ] as const) {
        const { email } = await createUser(org, password);
        for (const other of others) await login(app, org.id, email, other).expect(401);
        await login(app, org.id, email, password).expect(200);
      }
    });

    it('can be long and contain any characters', async () => {
      const org = await newOrganization(app);
      for (const password of [
        'onlysmallletters-'.repeat(4).concat('andmore').replaceAll('-', ''),
        '80316294750918273645'.concat('7730915528461029', '44871620395518273640', '91827364'),
        'пятнадцать разных слов на кириллице и больше шестидесяти четырёх',
        '🐢🦊🐙🦉🐳🦔🐝🦋🌵🍋🎈🚲🪁🧭🪐',
      ]) {
        const { email } = await createUser(org, password);
        await login(app, org.id, email, password).expect(200);
      }
    });

    it('does not expire', async () => {
      const org = await newOrganization(app);
      const { email } = await createUser(org);
      await later(app, 10 * YEAR_MS, () => login(app, org.id, email).expect(200));
    });
  });

  it('keeps MFA enabled when a user resets the password by email', async () => {
    const org = await newOrganization(app);
    const { email, secret } = await userWithTotp(app, org.id);
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org.id, email }).expect(202);
    const link = await mailedToken(app, email, 'password_reset');
    await app.api.anonymous.post('/v1/auth/reset-password', { token: link, password: NEW_PASSWORD }).expect(204);
    const { body } = await login(app, org.id, email, NEW_PASSWORD).expect(200);
    expect(body.data).toMatchObject({ mfaRequired: true, methods: ['totp', 'recovery_code'] });
    expect(body.data.sessionToken).toBeUndefined();
    await verify(app, body.data.challengeToken, 'totp', freshCode(app, secret)).expect(200);
  });

  it('limits an IP address to 600 checks of secrets per minute', async () => {
    const statusesOf = async (count: number, path: string, network: string): Promise<Set<number>> => {
      const statuses = new Set<number>();
      for (let done = 0; done < count; done += 50) {
        const addresses = Array.from({ length: Math.min(50, count - done) }, (_, index) => `${network}${done + index}`);
        for (const { status } of await Promise.all(addresses.map((each) => app.api.anonymous.post(path, {}, from(each)))))
          statuses.add(status);
      }
      return statuses;
    };
    expect(await statusesOf(300, '/v1/auth/login', '2001:db8:0:7::')).toEqual(new Set([400]));
    expect(await statusesOf(300, '/v1/auth/mfa/verify', '2001:db8:0:7::')).toEqual(new Set([400]));
    expect(await statusesOf(2, '/v1/auth/reset-password', '2001:db8:0:7::')).toEqual(new Set([429]));
    expect(await statusesOf(2, '/v1/auth/reset-password', '2001:db8:0:8::')).toEqual(new Set([400]));
  });

  it('an identity provider identifies users by issuer and subject, not by email', async () => {
    const org = await newOrganization(app);
    const users = new Set<string>();
    for (const name of ['first', 'second']) {
      const provider = await startScriptedProvider({ sub: 'one-person', email: `${name}@corp.example`, email_verified: true });
      const idp = await identityProvider(app, org.id, provider.issuer, { name, trustedDomains: ['corp.example'] });
      const { status, body } = await oidcSignIn(app, org.id, idp.id);
      expect(status).toBe(200);
      users.add(body.data.user.id);
      expect(Object.keys(body.data).filter((field) => /token/i.test(field))).toEqual(['sessionToken']);
      expect(JSON.stringify(body)).not.toMatch(/eyJ/);
      await provider.stop();
    }
    expect(users.size).toBe(2);
  });

  it('stores passwords and recovery codes as slow hashes with a salt per user', async () => {
    const slow = await startApp({}, { passwordCost: 'production' });
    const org = await newOrganization(slow);
    const hasher = slow.app.get(PasswordHasher, { strict: false });
    const salts = new Set<string>();
    for (const { id, recoveryCodes } of [await userWithTotp(slow, org.id), await userWithTotp(slow, org.id)]) {
      const [set] = await slow.database.query<{ salt: Buffer; hashes: Buffer[] }>(
        'SELECT salt, hashes FROM recovery_code_sets WHERE user_id = $1',
        [id],
      );
      const phc = [set!.salt, set!.hashes[0]!].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
      const hash = `$argon2id$v=19$m=19456,t=2,p=1$${phc.join('$')}`;
      expect(await hasher.verify(recoveryCodes[0]!.replaceAll('-', ''), hash)).toBe(true);
      expect(set!.salt).toHaveLength(32);
      const stored = 'SELECT password_hash AS hash FROM user_credentials WHERE user_id = $1';
      const [password] = await slow.database.query<{ hash: string }>(stored, [id]);
      const [, passwordSalt] = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([^$]+)\$/.exec(password!.hash)!;
      salts.add(phc[0]!).add(passwordSalt!);
    }
    await slow.close();
    expect(salts.size).toBe(4);
  });
});
