import { startApp } from '../../test/support/app.ts';
import { findFreePort } from '../../test/support/free-port.ts';
import { made, newOrganization } from '../../test/support/organizations.ts';
import { signedIn } from '../../test/support/signed-in.ts';
import { startTestPostgres, stopTestPostgres } from '../../test/support/test-postgres.ts';
import { sessionCookieName } from '../../libs/platform/http/src/index.ts';

const USERS = 40;

/** Starts the service with an organization of 40 users, and returns the pages to measure. */
export async function startSite() {
  await startTestPostgres();
  const port = await findFreePort();
  const app = await startApp({ port, baseUrl: `http://localhost:${port}`, rateLimit: 0 });
  const { id } = await newOrganization(app, { name: 'Northwind', slug: 'northwind' });
  for (let user = 1; user <= USERS; user++)
    await made(app, `/v1/organizations/${id}/users`, { email: `user${user}@northwind.example`, displayName: `User ${user}` });
  const owner = await signedIn(app, id, { roles: ['owner'] });
  const organization = `/dashboard/organizations/${id}`;
  return {
    baseUrl: app.config.baseUrl,
    cookie: { name: sessionCookieName(app.config), value: owner.token, url: app.config.baseUrl, httpOnly: true },
    // `usable` selects an element of the loaded page.
    pages: [
      { name: 'sign-in', path: '/account/sign-in', usable: 'form input' },
      { name: 'overview', path: organization, usable: 'main h1' },
      { name: 'users', path: `${organization}/users`, usable: 'main tbody tr td a' },
      { name: 'settings', path: `${organization}/settings`, usable: 'main [role=switch], main input' },
      { name: 'account', path: '/account', usable: 'main form input' },
    ],
    async close() {
      await app.close();
      await stopTestPostgres();
    },
  };
}
