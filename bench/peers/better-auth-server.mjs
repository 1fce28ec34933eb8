import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { admin, bearer, organization } from 'better-auth/plugins';
import { Pool } from 'pg';

/*
 * better-auth with the plugins for administrators and organizations, on PostgreSQL. better-auth.mjs copies this file beside the packages and
 * starts it.
 */
const { DATABASE_URL, PORT, PASSWORD, USERS, ACCOUNTS, ORGANIZATIONS } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: 20 });
const options = {
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: 'a-secret-for-the-benchmark-only-0123456789',
  database: pool,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  plugins: [admin(), bearer(), organization({ membershipLimit: 1_000_000, organizationLimit: 1_000 })],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);
const handle = toNodeHandler(auth);

const tokens = [];
for (let number = 0; number < Number(ACCOUNTS); number++) {
  const body = { email: `account${number}@example.com`, password: PASSWORD, name: 'Ada Lovelace' };
  tokens.push((await auth.api.signUpEmail({ body })).token);
}
await pool.query(`UPDATE "user" SET role = 'admin' WHERE email = 'account0@example.com'`);
const { rows } = await pool.query(
  `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", role)
   SELECT 'user' || number, 'Ada Lovelace', 'user' || number || '@example.com', true, now(), now(), 'user' FROM generate_series(1, $1) AS number
   RETURNING id`,
  [USERS],
);
const headers = new Headers({ authorization: `Bearer ${tokens[0]}` });
const organizations = [];
for (let number = 0; number < Number(ORGANIZATIONS); number++) {
  const body = { name: `Department ${number}`, slug: `department-${number}` };
  organizations.push((await auth.api.createOrganization({ body, headers })).id);
}
await pool.query('ANALYZE');

const server = createServer((request, response) => {
  if (request.url === '/members') void addMember(request, response);
  else void handle(request, response);
});
server.listen(Number(PORT), '127.0.0.1', () =>
  process.send?.({ tokens, userIds: rows.map(({ id }) => id), organizationIds: organizations }),
);
process.on('disconnect', () => process.exit(0));

/** Adds a member for a signed-in administrator. better-auth adds members without an invitation only on the server. */
async function addMember(request, response) {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const session = await auth.api.getSession({ headers: new Headers({ authorization: request.headers.authorization }) });
    if (session?.user.role !== 'admin') throw new Error('Only an administrator can add members.');
    const body = { ...JSON.parse(Buffer.concat(chunks).toString()), role: 'member' };
    const member = await auth.api.addMember({ body });
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(member));
  } catch (error) {
    response.writeHead(500).end(String(error.stack));
  }
}
