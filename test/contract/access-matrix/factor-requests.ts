import { newId, systemContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { MfaChallengesService } from '#identity/mfa';
import { unneeded } from '#directory/privileges';
import { codeOf } from '../../support/authenticator-app.js';
import { sentCode } from '../../support/second-factors.js';
import { PASSWORD } from '../../support/sign-in.js';
import type { SignedIn } from '../../support/signed-in.js';
import { SoftwarePasskey } from '../../support/software-passkey.js';
import { type MatrixRequest, type MatrixRow, type MatrixRows, own, publicly } from './row.js';
import type { RequestOrganizations, Setup } from './setup.js';

const PATH = '/v1/auth/mfa';
const REAUTHENTICATION = '/v1/auth/reauthentication';
const PHONE_NUMBER = '+4915112345678';

/** Inserts email codes as an MFA factor into the database. */
export async function addCodeFactors(setup: Setup, { tenantId, id, email }: SignedIn): Promise<void> {
  await setup.app.database.query(
    `INSERT INTO code_factors (tenant_id, user_id, method, destination, created_at) VALUES ($1, $2, 'email', $3, now())`,
    [tenantId, id, email],
  );
  await setup.app.database.query(`UPDATE users SET mfa_enabled = true, mfa_methods = '{email}' WHERE id = $1`, [id]);
}

async function addPasskey(setup: Setup, { tenantId, id }: SignedIn): Promise<{ id: string; passkey: SoftwarePasskey }> {
  const passkey = new SoftwarePasskey(setup.app.config.baseUrl);
  const passkeyId = newId('passkey');
  await setup.app.database.query(
    `INSERT INTO passkeys (tenant_id, id, user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
     VALUES ($1, $2, $3, $4, $5, 0, '{}', true, 'Matrix', now())`,
    [tenantId, passkeyId, id, passkey.credentialId, passkey.publicKey],
  );
  return { id: passkeyId, passkey };
}

/** Returns a row for a request about the account of a new user. `prepare` runs only for callers with a session. */
const ofNewUser = (
  request: MatrixRequest,
  prepare: (setup: Setup, user: SignedIn) => Promise<Partial<MatrixRequest> | void>,
): MatrixRow => ({
  ownAccount: 'of a new user',
  request: async (setup, _orgs, credential) => {
    const user = setup.signedInBy(credential);
    return { ...request, ...(user && (await prepare(setup, user))) };
  },
});

const withPasskey = async (setup: Setup, user: SignedIn): Promise<Partial<MatrixRequest>> => ({
  path: `${PATH}/passkeys/${(await addPasskey(setup, user)).id}`,
});
const UNKNOWN_PASSKEY = `${PATH}/passkeys/pky_01kf2b8v3cf5h9r4n0j7d2q6xw`;

/** Starts the MFA challenge of a user who has email codes. */
async function startChallenge(
  setup: Setup,
  { own: organizationId }: RequestOrganizations,
): Promise<{ challengeToken: string; user: SignedIn }> {
  const user = await setup.newSession(organizationId, 'member');
  await addCodeFactors(setup, user);
  const signIn = { user, organizationId, firstMethod: 'password', identityProviderId: null, methods: ['email'] as const };
  const ctx = {
    actor: { type: 'system' },
    caller: { kind: 'system', permissions: [] },
    requestId: newId('request'),
    source: 'api',
  } as const;
  const { challengeToken } = await setup.app.app.get(MfaChallengesService).startForSignIn(ctx, signIn);
  return { challengeToken, user };
}

const sendMailCode = (setup: Setup, challengeToken: string) =>
  setup.app.api.anonymous.post(`${PATH}/challenge`, { challengeToken, method: 'email' }).expect(200);

export const FACTOR_ROWS: MatrixRows = {
  renewRecoveryCodes: ofNewUser({ path: `${PATH}/recovery-codes`, body: {} }, addCodeFactors),
  removeOwnFactor: ofNewUser({ path: `${PATH}/email`, body: {} }, addCodeFactors),
  beginReauthentication: own(REAUTHENTICATION, {}),
  reauthenticateWithPassword: ofNewUser(
    { path: `${REAUTHENTICATION}/password`, body: { password: 'not the password' } },
    async (setup, { tenantId, id }) => {
      await setup.app.app
        .get(PasswordsService, { strict: false })
        .set(systemContext(newId('request')), { tenantId, id }, PASSWORD, 'reset', unneeded<'sign_in'>('mailed_link'));
      return { body: { password: PASSWORD } };
    },
  ),
  reauthenticateWithSecondFactor: ofNewUser(
    { path: `${REAUTHENTICATION}/second-factor`, body: { challengeToken: 'unknown', method: 'totp', code: '000000' } },
    async (setup, user) => {
      await addCodeFactors(setup, user);
      const { challengeToken } = (await user.client.post(REAUTHENTICATION).expect(200)).body.data;
      await sendMailCode(setup, challengeToken);
      return { body: { challengeToken, method: 'email', code: await sentCode(setup.app, user.email) } };
    },
  ),
  beginTotp: own(`${PATH}/totp`, {}),
  confirmTotp: ofNewUser({ path: `${PATH}/totp/confirm`, body: { code: '000000' } }, async (_setup, { client }) => {
    const { secret } = (await client.post(`${PATH}/totp`, {}).expect(200)).body.data;
    return { body: { code: codeOf(secret) } };
  }),
  beginEmailCodes: ofNewUser({ path: `${PATH}/email`, body: {} }, async (setup, user) => void (await addPasskey(setup, user))),
  confirmEmailCodes: ofNewUser({ path: `${PATH}/email/confirm`, body: { code: '000000' } }, async (setup, user) => {
    await addPasskey(setup, user);
    await user.client.post(`${PATH}/email`, {}).expect(200);
    return { body: { code: await sentCode(setup.app, user.email) } };
  }),
  beginSmsCodes: ofNewUser(
    { path: `${PATH}/sms`, body: { phoneNumber: PHONE_NUMBER } },
    async (setup, user) => void (await addPasskey(setup, user)),
  ),
  confirmSmsCodes: ofNewUser({ path: `${PATH}/sms/confirm`, body: { code: '000000' } }, async (setup, user) => {
    // Several users wait for a code at the same time. Each user needs a unique number.
    const phoneNumber = `+49${Math.floor(Math.random() * 1e10)
      .toString()
      .padStart(10, '1')}`;
    await addPasskey(setup, user);
    await user.client.post(`${PATH}/sms`, { phoneNumber }).expect(200);
    return { body: { code: await sentCode(setup.app, phoneNumber) } };
  }),
  beginPasskey: own(`${PATH}/passkeys/options`, {}),
  registerPasskey: ofNewUser({ path: `${PATH}/passkeys`, body: { credential: {} } }, async (setup, { client }) => {
    const { publicKey } = (await client.post(`${PATH}/passkeys/options`, {}).expect(200)).body.data;
    return { body: { credential: new SoftwarePasskey(setup.app.config.baseUrl).registration(publicKey.challenge) } };
  }),
  renamePasskey: ofNewUser({ path: UNKNOWN_PASSKEY, body: { name: 'Renamed' } }, withPasskey),
  removePasskey: ofNewUser({ path: UNKNOWN_PASSKEY, body: {} }, withPasskey),

  prepareMfa: publicly(async (setup, orgs) => {
    const { challengeToken } = await startChallenge(setup, orgs);
    return { path: `${PATH}/challenge`, body: { challengeToken, method: 'email' } };
  }),
  verifyMfa: publicly(async (setup, orgs) => {
    const { challengeToken, user } = await startChallenge(setup, orgs);
    await sendMailCode(setup, challengeToken);
    const code = await sentCode(setup.app, user.email);
    return { path: `${PATH}/verify`, body: { challengeToken, method: 'email', code } };
  }),
  beginPasskeyLogin: publicly((_setup, orgs) => ({ path: '/v1/auth/passkey/options', body: { organization: orgs.own } })),
  loginWithPasskey: publicly(async (setup, { child: organization }) => {
    const { passkey } = await addPasskey(setup, await setup.user(organization, 'member'));
    const { body } = await setup.app.api.anonymous.post('/v1/auth/passkey/options', { organization }).expect(200);
    const credential = passkey.assertion(body.data.publicKey.challenge);
    return { path: '/v1/auth/passkey', body: { organization, credential } };
  }),
  removeUserMfa: ({ fixtures }, orgs) => ({ path: `/v1/organizations/${orgs.own}/users/${fixtures.user}/mfa` }),
};
