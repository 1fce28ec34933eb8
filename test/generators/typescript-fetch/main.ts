import { setTimeout } from 'node:timers/promises';
import { Configuration, EventsApi, OrganizationsApi, ProblemResponseFromJSON, ResponseError, UsersApi } from './client/index.ts';

const { BASE_URL, API_KEY, SLUG: slug } = process.env as Record<'BASE_URL' | 'API_KEY' | 'SLUG', string>;
const configuration = new Configuration({ basePath: BASE_URL, accessToken: API_KEY });
const organizations = new OrganizationsApi(configuration);

/** Returns all organizations, page by page. */
async function all(): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await organizations.listOrganizations({ limit: 2, after: ids.at(-1) });
    ids.push(...page.data.map(({ id }) => id));
    if (!page.pagination.hasMore) return ids;
  }
}

async function problem(call: Promise<unknown>): Promise<string> {
  const failure = await call.then(() => undefined).catch((error: unknown) => error);
  if (!(failure instanceof ResponseError)) throw failure ?? new Error('The call succeeded.');
  const { status, code } = ProblemResponseFromJSON(await failure.response.json());
  return `${status} ${code}`;
}

const before = (await all()).length;
const createOrganizationRequest = { name: 'From typescript-fetch', slug };
const { data: created } = await organizations.createOrganization({ createOrganizationRequest });
const user = await new UsersApi(configuration).createUser({
  org: created.id,
  createUserRequest: { email: `ada@${slug}.example` },
});
const notFound = await problem(organizations.getOrganization({ org: 'no-such-organization' }));
const conflict = await problem(organizations.createOrganization({ createOrganizationRequest }));
let events: string[] = [];
// The event log contains an event shortly after the change.
while (!events.includes('user.created')) {
  await setTimeout(50);
  const { data } = await new EventsApi(configuration).listEvents({ org: created.id, sort: 'position' });
  events = data.map(({ type }) => type);
}
const added = (await all()).length - before;
console.log(JSON.stringify({ email: user.data.email, added, notFound, conflict, events }));
