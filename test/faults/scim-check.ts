import { difference, gaps, listDeliveryViolations, type SubscribedEvent } from './history-check.js';
import type { ScimDirectory } from './scim-directory.js';
import type { DirectoryState, Person } from './scim-people.js';
import type { ScimGroup, ScimUser } from './scim-requests.js';
import type { SystemUnderTest } from './system-under-test.js';

const USERS_PER_PAGE = 200;
/** A response has at most 10,000 members. */
const GROUPS_PER_PAGE = 5;

/** What a directory did with a connection. */
export interface ProvisioningHistory {
  readonly directory: ScimDirectory;
  readonly final: DirectoryState;
  /** The effects of all synchronizations, each once. They name people by external ID. */
  readonly effects: readonly string[];
}

interface EventRow extends SubscribedEvent {
  position: string | null;
  type: string;
}

/** Compares the state of the directory with the users, groups and events of the service, and with the webhook. Returns the violations. */
export async function checkProvisioning(
  system: SystemUnderTest,
  { directory, final, effects }: ProvisioningHistory,
): Promise<{ violations: string[]; events: number }> {
  const users = await directory.requests.list<ScimUser>('/Users', USERS_PER_PAGE);
  const groups = await directory.requests.list<ScimGroup>('/Groups', GROUPS_PER_PAGE);
  const { pagination } = (await system.client.get('/v1/organizations/acme/users?limit=1').expect(200)).body;
  const history = system.deliveryHistory();
  const sql = 'SELECT id, position, type, payload FROM events WHERE tenant_id = $1 ORDER BY position';
  const events = (await system.database.query<EventRow>(sql, [history.tenantId])).rows;
  const subscribed = events.filter(({ type }) => type !== 'webhook.created' && type !== 'organization.created');
  const violations = [
    ...directory.unexplainedResponses,
    ...countViolations({ directory: final.people.size, SCIM: users.total, API: pagination.total }),
    ...stateViolations(final, users.resources, groups.resources),
    ...idViolations(directory, users.resources),
    ...effectViolations(effects, events, directory, groups.resources),
    ...gaps(
      'position in the tenant',
      events.map(({ position }) => position),
    ),
    ...(await listDeliveryViolations(history, subscribed, system.database)),
    ...(await system.reconciliationViolations(subscribed.length)),
  ];
  return { violations, events: subscribed.length };
}

function countViolations(counts: Record<string, number>): string[] {
  return new Set(Object.values(counts)).size === 1 ? [] : [`the numbers of users differ: ${JSON.stringify(counts)}`];
}

/** Compares each person and each group with the service, so that a duplicate of a user is a user that the directory lacks. */
function stateViolations(final: DirectoryState, users: readonly ScimUser[], groups: readonly ScimGroup[]): string[] {
  const groupsOf = new Map<string, string[]>();
  for (const [name, members] of final.groups) for (const id of members) groupsOf.set(id, [...(groupsOf.get(id) ?? []), name]);
  const wantedUsers = [...final.people.values()].map((person) => personText(person, groupsOf.get(person.externalId) ?? []));
  const presentUsers = users.map((user) =>
    personText(
      { ...user, ...user.name, email: user.emails[0]?.value ?? '' },
      (user.groups ?? []).map(({ display }) => display),
    ),
  );
  const externalIds = new Map(users.map(({ id, externalId }) => [id, externalId]));
  const wantedGroups = [...final.groups].map(([name, members]) => groupText(name, [...members]));
  const presentGroups = groups.map(({ displayName, members }) =>
    groupText(
      displayName,
      (members ?? []).map(({ value }) => externalIds.get(value) ?? value),
    ),
  );
  return [
    ...difference(wantedUsers, presentUsers).map((text) => `the service lacks the user ${text}`),
    ...difference(presentUsers, wantedUsers).map((text) => `the directory lacks the user ${text}`),
    ...difference(wantedGroups, presentGroups).map((text) => `the service lacks the group ${text}`),
    ...difference(presentGroups, wantedGroups).map((text) => `the directory lacks the group ${text}`),
  ];
}

const personText = (person: Person, groups: readonly string[]): string => {
  const { externalId, userName, email, givenName, familyName, title, active } = person;
  return JSON.stringify([externalId, userName, email, givenName, familyName, title, active, groups.toSorted()]);
};

const groupText = (name: string, members: readonly string[]): string => `${name}: ${members.toSorted().join(' ')}`;

/** Checks that each user has the one id that the responses to the creation contained. */
function idViolations({ createdIds }: ScimDirectory, users: readonly ScimUser[]): string[] {
  return users.flatMap(({ id, externalId }) => {
    const created = [...(createdIds.get(externalId) ?? [id])];
    return created.length === 1 && created[0] === id ? [] : [`${externalId} was created as ${created.join(', ')} and is ${id}`];
  });
}

/** Compares the expected effects with the events: each effect has exactly one event. */
function effectViolations(
  expected: readonly string[],
  events: readonly EventRow[],
  { externalIds }: ScimDirectory,
  groups: readonly ScimGroup[],
): string[] {
  const groupNames = new Map(groups.map(({ id, displayName }) => [id, displayName]));
  const actual = events.flatMap(({ type, payload }) => {
    if (!/^(?:user|group|role|organization\.member)/.test(type)) return [];
    const { data } = JSON.parse(payload) as { data: EventData };
    const personId = (data.user ?? data).id;
    const person = externalIds.get(personId) ?? personId;
    if (type === 'user.created') return [`${type} ${person} ${data.email}`];
    if (type === 'user.updated') return [`${type} ${person} ${changesText(data)}`];
    if (type === 'group.created') return [`${type} ${groupNames.get(data.id) ?? data.id}`];
    return [[type, ...(data.group ? [groupNames.get(data.group.id) ?? data.group.id] : []), person].join(' ')];
  });
  return [
    ...difference(expected, actual).map((effect) => `the change "${effect}" has no event`),
    ...difference(actual, expected).map((effect) => `the event "${effect}" has no change`),
  ];
}

interface EventData {
  id: string;
  email?: string;
  changes?: Record<string, { to: unknown }>;
  user?: { id: string };
  group?: { id: string };
}

const changesText = ({ changes = {} }: EventData): string =>
  Object.entries(changes)
    .filter(([name]) => name !== 'emailVerified')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { to }]) => `${name}=${String(to)}`)
    .join(' ');
