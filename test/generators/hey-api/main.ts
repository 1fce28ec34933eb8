import { setTimeout } from 'node:timers/promises';
import { client } from './client/client.gen.ts';
import { createOrganization, createUser, getOrganization, listEvents, listOrganizations } from './client/index.ts';

const { BASE_URL, API_KEY, SLUG: slug } = process.env as Record<'BASE_URL' | 'API_KEY' | 'SLUG', string>;
client.setConfig({ baseUrl: BASE_URL, auth: API_KEY });

/** Returns all organizations, page by page. */
async function all(): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { data: page } = await listOrganizations({ query: { limit: 2, after: ids.at(-1) }, throwOnError: true });
    ids.push(...page.data.map(({ id }) => id));
    if (!page.pagination.hasMore) return ids;
  }
}

const problem = ({ error }: { error?: { status: number; code: string } }): string => `${error?.status} ${error?.code}`;

const before = (await all()).length;
const body = { name: 'From hey-api', slug };
const { data: created } = await createOrganization({ body, throwOnError: true });
const path = { org: created.data.id };
const { data: user } = await createUser({ path, body: { email: `ada@${slug}.example` }, throwOnError: true });
const notFound = problem(await getOrganization({ path: { org: 'no-such-organization' } }));
const conflict = problem(await createOrganization({ body }));
let events: string[] = [];
// The event log contains an event shortly after the change.
while (!events.includes('user.created')) {
  await setTimeout(50);
  const { data } = await listEvents({ path, query: { sort: 'position' }, throwOnError: true });
  events = data.data.map(({ type }) => type);
}
const added = (await all()).length - before;
console.log(JSON.stringify({ email: user.data.email, added, notFound, conflict, events }));
