import type { TestApp } from '../../support/app.js';
import { codeOf } from '../../support/authenticator-app.js';
import { eventually } from '../../support/eventually.js';
import { numberedEvents } from '../../support/event-log.js';
import type { TestBody } from '../../support/http-client.js';
import { momentOf } from '../../support/history.js';
import { ownDomains } from '../../support/oidc.js';
import { made, newAddress, read } from '../../support/organizations.js';
import { activeUser, mailedToken } from '../../support/sign-in.js';
import { signedIn } from '../../support/signed-in.js';
import { SAMPLES } from './blocks.js';
import type { Shell } from './shell.js';

/** The environment of a block: the service, the shell, the last response, and a local host that replaces external hosts. */
export interface Reader {
  readonly app: TestApp;
  readonly shell: Shell;
  /** The last JSON value that a block printed. */
  readonly last: TestBody;
  readonly hostUrl: string;
  /** The path of the organization that the page calls `acme`. Each page has a separate organization. */
  readonly path: string;
}

/** The inserted values by placeholder or variable. */
type Filled = Readonly<Record<string, string>>;

interface Page {
  /** Creates the prerequisites of the page. The organization `acme` already exists. */
  readonly before?: (reader: Reader) => Promise<unknown>;
  /** The inserted values for blocks that contain a word, by word. */
  readonly fill?: Readonly<Record<string, (reader: Reader) => Filled | Promise<Filled>>>;
}

const ADA = { email: 'ada@example.com', firstName: 'Ada' };
/** The user who signs up in the guides. The README already has Ada. */
const JANE = { email: 'jane@example.com', firstName: 'Jane' };

/** Returns the link in the newest email of a template. */
const mailedLink = async ({ app }: Reader, template: string): Promise<Filled> => ({
  '…': await mailedToken(app, JANE.email, template),
});

const madeAda = ({ app, path }: Reader): Promise<unknown> => made(app, `${path}/users`, ADA);

/** Creates a user with a password. */
const activeAda = ({ app, path }: Reader): Promise<unknown> => activeUser(app, slugOf(path), ADA);

const activeJane = ({ app, path }: Reader): Promise<unknown> => activeUser(app, slugOf(path), JANE);

const madeWebhook = ({ app, path, hostUrl }: Reader): Promise<unknown> =>
  made(app, `${path}/webhooks`, { url: hostUrl, events: ['*'] });

/** Returns a variable with the ID of the newest resource in a collection of the organization. */
const newestOf =
  (list: string, variable: string) =>
  async ({ app, path }: Reader): Promise<Filled> => ({
    [variable]: (await app.api.platform.get(`${path}/${list}`).expect(200)).body.data[0].id,
  });

/** The past moment in the samples. */
const PAST = '2027-03-03T10:00:00Z';
const pastMoment = async ({ app }: Reader): Promise<Filled> => ({ [PAST]: await momentOf(app.database) });

/** Creates a user and returns the ID of a successful delivery. */
async function delivered(reader: Reader): Promise<Filled> {
  await made(reader.app, `${reader.path}/users`, { email: newAddress() });
  return succeeded(reader);
}

/** Waits until a delivery of the newest webhook has succeeded, and returns the delivery ID. */
async function succeeded(reader: Reader): Promise<Filled> {
  const { app, path } = reader;
  const { WEBHOOK_ID: webhookId } = await newestOf('webhooks', 'WEBHOOK_ID')(reader);
  const list = () => read(app, `${path}/webhooks/${webhookId}/deliveries?status=succeeded`);
  await eventually(async () => (await list()).length > 0, 20_000, 'a delivery has succeeded');
  return { DELIVERY_ID: (await list())[0].id };
}

/** The variables of all pages with the ID of the newest resource. A page can set a variable itself. */
export const NEWEST: Readonly<Record<string, (reader: Reader) => Promise<Filled>>> = {
  $CLIENT_ID: newestOf('oauth-clients', 'CLIENT_ID'),
  $USER_ID: newestOf('users', 'USER_ID'),
  $GROUP_ID: newestOf('groups', 'GROUP_ID'),
  $DOMAIN_ID: newestOf('domains', 'DOMAIN_ID'),
  $CONNECTION_ID: newestOf('scim-connections', 'CONNECTION_ID'),
  $SETUP_LINK_ID: newestOf('setup-links', 'SETUP_LINK_ID'),
  $WEBHOOK_ID: newestOf('webhooks', 'WEBHOOK_ID'),
};

/** Creates an application of the platform. */
const platformApplication = async ({ app, hostUrl }: Reader): Promise<string> =>
  (await made(app, '/v1/oauth-clients', { name: 'Calendar', type: 'web', redirectUris: [hostUrl] })).id;

/** Returns the ID of an approval that a user waits for. */
async function pendingApproval(reader: Reader): Promise<Filled> {
  const { id } = await made(reader.app, `${reader.path}/application-approvals`, { clientId: await platformApplication(reader) });
  await reader.app.database.query(`UPDATE application_approvals SET status = 'pending' WHERE id = $1`, [id]);
  return { APPROVAL_ID: id };
}

/** Allows what the device with the printed code asks for. */
async function allowedDevice(reader: Reader): Promise<Filled> {
  const { user_code: userCode, device_code } = reader.last;
  const id = await organizationId(reader);
  const { client } = await signedIn(reader.app, id);
  const body = { userCode, organizationId: id };
  await client.post('/v1/oauth/device-requests', body).expect(200);
  await client.post('/v1/oauth/device-requests/approval', body).expect(204);
  return { DEVICE_CODE: device_code };
}

const organizationId = async ({ app, path }: Reader): Promise<string> =>
  (await app.api.platform.get(path).expect(200)).body.data.id;

const slugOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const PAGES: Readonly<Record<string, Page>> = {
  'docs/guides/api.md': {
    before: madeAda,
    fill: {
      'limit=1': async ({ app, path }) => {
        await made(app, `${path}/users`, { email: 'hedy@example.com' });
        return {};
      },
    },
  },
  'docs/guides/api-keys.md': { fill: { $SYNC_KEY: ({ last }) => ({ SYNC_KEY: last.data.key }) } },
  'docs/guides/application-approvals.md': {
    fill: {
      '/approve': pendingApproval,
      '/deny': pendingApproval,
      app_01kf2bav4hf7r8v2m5n9q1c3ek: async (reader) => ({ app_01kf2bav4hf7r8v2m5n9q1c3ek: await platformApplication(reader) }),
      '/revoke': ({ last }) => ({ APPROVAL_ID: last.data.id }),
    },
  },
  'docs/guides/as-of.md': { before: madeAda, fill: { [PAST]: pastMoment } },
  'docs/guides/audit-access.md': { before: madeAda, fill: { [PAST]: pastMoment } },
  'docs/guides/break-glass.md': {
    fill: {
      $BASE_URL: async (reader) => {
        const { token } = await signedIn(reader.app, await organizationId(reader), { roles: ['admin'] });
        return { BASE_URL: reader.app.url, SESSION_TOKEN: token };
      },
    },
  },
  'docs/guides/impersonation.md': {
    before: activeAda,
    fill: {
      // Only the first sample uses this variable. The shell keeps the others for later samples.
      $USER_ID: async (reader) => {
        const { token } = await signedIn(reader.app, await organizationId(reader), { roles: ['owner'] });
        return { BASE_URL: reader.app.url, SESSION_TOKEN: token };
      },
      $IMPERSONATION_ID: ({ last }) => ({ IMPERSONATION_ID: last.data.id }),
    },
  },
  'docs/guides/command-line.md': { before: madeWebhook },
  'docs/guides/events.md': {
    before: async ({ app, path }) => {
      await made(app, `${path}/users`, ADA);
      await made(app, `${path}/users`, { email: 'bob@example.com' });
      await numberedEvents(app);
    },
  },
  'docs/guides/import-export.md': {
    before: async ({ app, path, shell }) => {
      await made(app, `${path}/roles`, { name: 'billing', permissions: ['users:read'] });
      await made(app, `${path}/users`, { email: 'babbage@example.com', externalId: 'hr-4712' });
      await made(app, `${path}/users`, { email: 'charles@example.com' });
      shell.write('users.csv', SAMPLES.get('docs/guides/import-export.md')!.find(({ language }) => language === 'csv')!.code);
      shell.write('users.ndjson', '{"email": "grace@example.com"}\n{"email": "hedy@example.com"}\n');
    },
  },
  'docs/guides/bulk-changes.md': { before: madeAda },
  'docs/guides/groups.md': { before: madeAda },
  'docs/guides/mfa.md': {
    before: activeJane,
    fill: {
      '287082': ({ last }) => ({ '287082': codeOf(last.data.secret) }),
    },
  },
  'docs/guides/oidc.md': {
    before: ({ app, path }) => ownDomains(app, slugOf(path), ['acme.example']),
    fill: { $PROVIDER_ID: ({ last }) => ({ PROVIDER_ID: last.data.id }) },
  },
  'docs/guides/oauth-apis.md': {
    before: ({ app, path }) =>
      made(app, `${path}/oauth-clients`, { name: 'Billing', type: 'web', redirectUris: [`${app.url}/callback`] }),
  },
  'docs/guides/require-sso.md': {
    before: async ({ app, path }) => {
      await ownDomains(app, slugOf(path), ['acme.example']);
      const provider = { name: 'Company login', issuer: 'https://login.example.com', clientId: 'service' };
      await made(app, `${path}/identity-providers`, { ...provider, trustedDomains: ['acme.example'] });
    },
  },
  'docs/guides/permissions.md': { before: madeAda },
  'docs/guides/recovering-an-account.md': { before: activeAda },
  'docs/quickstart.md': { fill: { '/deliveries': (reader) => succeeded({ ...reader, path: '/v1/organizations/quick' }) } },
  'docs/guides/settings.md': { before: madeAda },
  'docs/guides/scim-preview.md': {
    before: ({ app, path }) => made(app, `${path}/scim-connections`, { name: 'Okta' }),
  },
  'docs/guides/scim.md': {
    fill: {
      $TOKEN_ID: async (reader) => {
        const { CONNECTION_ID: id } = await newestOf('scim-connections', 'CONNECTION_ID')(reader);
        return newestOf(`scim-connections/${id}/tokens`, 'TOKEN_ID')(reader);
      },
    },
  },
  'docs/guides/signing-in.md': {
    fill: {
      '/verify-email': (reader) => mailedLink(reader, 'email_verification'),
      '/reset-password': (reader) => mailedLink(reader, 'password_reset'),
    },
  },
  'docs/guides/sign-in-on-devices.md': { fill: { $DEVICE_CODE: allowedDevice } },
  'docs/guides/sign-in-pages.md': {
    before: async ({ app, path, hostUrl }) => {
      const branding = { primaryColor: '#1a2b3c', logo: `${hostUrl}logo.png` };
      const settings = { allowPublicSignup: true, allowedDomains: ['example.com'] };
      await app.api.platform.patch(path, { branding, settings }).expect(200);
      const provider = { name: 'Company login', issuer: 'https://login.example.com', clientId: 'service' };
      await made(app, `${path}/identity-providers`, provider);
      await activeUser(app, slugOf(path), JANE);
    },
    fill: {
      '/links/look': async (reader) => {
        const account = { organization: slugOf(reader.path), email: JANE.email };
        await reader.app.api.anonymous.post('/v1/auth/forgot-password', account).expect(202);
        return mailedLink(reader, 'password_reset');
      },
    },
  },
  'docs/guides/verifying-sessions.md': {
    before: activeJane,
    fill: {
      // The first sample after the sign-in uses this variable. The shell keeps the variable for later samples.
      '/auth/token': ({ last }) => ({ SESSION_TOKEN: last.data.sessionToken }),
      $ACCESS_TOKEN: ({ last }) => ({ ACCESS_TOKEN: last.data.accessToken }),
    },
  },
  'docs/guides/verify-webhooks.md': { before: madeWebhook },
  'docs/guides/webhooks.md': { fill: { 'wh_…': ({ last }) => ({ 'wh_…': last.data.id }) } },
  'docs/guides/webhook-deliveries.md': {
    before: madeWebhook,
    fill: {
      $DELIVERY_ID: delivered,
      '/reconciliation': async (reader) => {
        const { DELIVERY_ID: id } = await delivered(reader);
        // With the default schedule, a delivery has the status `failed` only after more than a day.
        await reader.app.database.query("UPDATE deliveries SET status = 'failed' WHERE id = $1", [id]);
        return {};
      },
    },
  },
};
