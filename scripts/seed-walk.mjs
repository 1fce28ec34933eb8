import { randomBytes, scryptSync } from 'node:crypto';
import { CITIES, FIRST_NAMES, LAST_NAMES, toAsciiName } from './seed-names.mjs';

// Writes, through the API, what an administrator meets in a day: three levels of organizations, people in each state, webhooks that fail,
// credentials that expire, requests that wait, and sign-ins that failed.
const PEOPLE = 307;
const INVITED = 2;
/** People without an invitation, who are created after the webhooks. */
const HIRED = 18;
const SUSPENDED = 5;
const DELETED = 3;
const FAILED_SIGN_INS = 6;
const DAY_MS = 86_400_000;
/** No server listens there. */
const UNREACHABLE = 'http://localhost:9';
const PASSWORD = 'correct horse battery staple';

/** The children by parent. */
const TREE = { Northwind: ['Europe', 'America'], Europe: ['Berlin', 'Hamburg', 'Paris'], America: ['Boston', 'Austin'] };

/** The people whose work the data shows, with their organization and role. */
const SIGN_INS = [
  { email: 'olivia@northwind.example', firstName: 'Olivia', lastName: 'Owner', at: 'Northwind', role: 'owner' },
  { email: 'adam@northwind.example', firstName: 'Adam', lastName: 'Admin', at: 'Europe', role: 'admin' },
  { email: 'emil@northwind.example', firstName: 'Emil', lastName: 'Employee', at: 'Berlin', role: 'member' },
];

/** @throws Error with the response of a request that failed */
export async function seedWalk({ api, key }) {
  const call = async (method, path, body, token = key) => {
    const isText = typeof body === 'string';
    const request = {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': isText ? 'application/x-ndjson' : 'application/json' },
      body: body === undefined || isText ? body : JSON.stringify(body),
    };
    const response = await fetch(api + path, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return isText || text === '' ? text : JSON.parse(text).data;
  };
  const suffix = randomBytes(2).toString('hex');
  const slugOf = (name) => `${name.toLowerCase()}-${suffix}`;
  const at = (name, path = '') => `/v1/organizations/${slugOf(name)}${path}`;

  await call('POST', '/v1/organizations', { name: 'Northwind', slug: slugOf('Northwind') });
  for (const [parent, children] of Object.entries(TREE)) {
    const { id: parentId } = await call('GET', at(parent));
    for (const name of children) await call('POST', '/v1/organizations', { name, slug: slugOf(name), parentId });
  }
  const world = { call, at, suffix, in: (days) => new Date(Date.now() + days * DAY_MS).toISOString() };
  const users = await seedPeople(world);
  await seedAccess(world, users);
  await seedIntegrations(world);
  await seedSignIns(world, { api, slugOf });
  const link = await call('POST', at('Northwind', '/setup-links'), { steps: ['domain', 'sso', 'scim'] });
  console.log(`${PEOPLE} people in 8 organizations below "${slugOf('Northwind')}". Sign in at ${api}/account/sign-in:`);
  for (const { email, at: organization, role } of SIGN_INS)
    console.log(`  ${withSuffix(email, suffix)} (${role} of ${organization})`);
  console.log(`Password: ${PASSWORD}\nSetup link for the customer's administrator: ${link.url}`);
}

const withSuffix = (email, suffix) => email.replace('@', `.${suffix}@`);

/** Imports the people. Returns the users of Northwind who can sign in. */
async function seedPeople({ call, at, suffix }) {
  const salt = randomBytes(16);
  const encoded = (bytes) => bytes.toString('base64').replaceAll('=', '');
  const passwordHash = `$scrypt$ln=14,r=8,p=1$${encoded(salt)}$${encoded(scryptSync(PASSWORD, salt, 32, { N: 2 ** 14 }))}`;
  const names = ['Northwind', ...Object.values(TREE).flat()];
  const lines = Object.fromEntries(names.map((name) => [name, []]));
  for (const { email, at: organization, role, ...names } of SIGN_INS)
    lines[organization].push({ ...names, email: withSuffix(email, suffix), roles: [role], passwordHash, emailVerified: true });
  for (let index = SIGN_INS.length; index < PEOPLE - INVITED - HIRED; index++) {
    const [firstName, lastName] = [FIRST_NAMES[index % FIRST_NAMES.length], LAST_NAMES[(index * 7) % LAST_NAMES.length]];
    const email = `${toAsciiName(firstName)}.${toAsciiName(lastName)}.${index}@northwind.example`;
    const status = index < 10 + SUSPENDED ? 'suspended' : index < 10 + SUSPENDED + DELETED ? 'deleted' : 'active';
    const metadata = { city: CITIES[index % CITIES.length] };
    lines[names[index % names.length]].push({
      email,
      firstName,
      lastName,
      roles: ['member'],
      status: index < 10 ? 'active' : status,
      metadata,
    });
  }
  for (const [name, people] of Object.entries(lines))
    await call('POST', at(name, '/users/import'), people.map((line) => JSON.stringify(line)).join('\n'));
  for (let count = 0; count < INVITED; count++)
    await call('POST', at('Berlin', '/users'), { email: `invited.${count}.${suffix}@northwind.example`, roles: ['viewer'] });
  return call('GET', at('Northwind', '/users?limit=20&status=active'));
}

async function seedAccess({ call, at, in: inDays }, users) {
  const role = await call('POST', at('Northwind', '/roles'), {
    name: 'support',
    description: 'Helps customers',
    permissions: ['users:read', 'tickets:*', 'invoices:read'],
  });
  const group = await call('POST', at('Northwind', '/groups'), { name: 'Service desk', description: 'Answers tickets' });
  await call('POST', at('Northwind', `/groups/${group.id}/roles`), { roleId: role.id });
  await call('POST', at('Northwind', `/groups/${group.id}/members`), { userIds: users.slice(0, 12).map(({ id }) => id) });
  await call('POST', at('Northwind', '/api-keys'), { name: 'Nightly report', scopes: ['users:read'], expiresAt: inDays(3) });
  await call('POST', at('Berlin', '/api-keys'), { name: 'Door system', scopes: ['members:read'] });
  await call('PATCH', at('Northwind'), { settings: { sessionTimeout: 28_800 }, lockedSettings: ['sessionTimeout'] });
}

async function seedIntegrations({ call, at, suffix }) {
  for (const [index, [organization, name, events]] of [
    ['Northwind', 'Data warehouse', ['user.*', 'role.*']],
    ['Northwind', 'Mailing list', ['user.created', 'user.updated']],
    ['Europe', 'Payroll', ['user.*']],
    ['Berlin', 'Badge printer', ['user.created']],
    ['America', 'Old CRM', ['user.*']],
  ].entries())
    await call('POST', at(organization, '/webhooks'), {
      name,
      url: `${UNREACHABLE}/${index}`,
      events,
      includeDescendants: organization === 'Northwind',
      enabled: name !== 'Old CRM',
    });
  const client = { redirectUris: ['https://tickets.northwind.example/callback'], scopes: ['openid', 'profile', 'email'] };
  await call('POST', at('Northwind', '/oauth-clients'), { name: 'Ticket system', type: 'web', ...client });
  await call('POST', at('Northwind', '/oauth-clients'), { name: 'Batch import', type: 'machine' });
  await call('POST', at('Northwind', '/domains'), { name: `northwind-${suffix}.example` });
  await call('POST', at('Europe', '/scim-connections'), { name: 'Entra ID' });
  for (let count = 0; count < HIRED; count++)
    await call('POST', at('Berlin', '/users'), { email: `hired.${count}.${suffix}@northwind.example`, sendInvitation: false });
}

/** Wrong passwords, a forgotten password, and a request for emergency access that waits. */
async function seedSignIns({ suffix }, { api, slugOf }) {
  const post = async (path, body, token) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    return (await fetch(api + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const [owner, admin, employee] = SIGN_INS.map(({ email, at }) => ({
    email: withSuffix(email, suffix),
    organization: slugOf(at),
  }));
  for (let count = 0; count < FAILED_SIGN_INS; count++) await post('/v1/auth/login', { ...employee, password: `wrong ${count}` });
  await post('/v1/auth/forgot-password', owner);
  const { data } = await post('/v1/auth/login', { ...admin, password: PASSWORD });
  const request = { reason: 'Payroll does not run', durationSeconds: 3_600 };
  await post(`/v1/organizations/${admin.organization}/break-glass`, request, data.sessionToken);
}
