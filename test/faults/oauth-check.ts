import { difference, gaps, listDeliveryViolations, type SubscribedEvent } from './history-check.js';
import type { OAuthLog, OAuthUser } from './oauth-users.js';
import type { SystemUnderTest } from './system-under-test.js';

/**
 * Sign-ins whose rows contradict each other. Each use of the code or of a refresh token issues one refresh token and one access token, in the
 * transaction that marks it as used. A value that was accepted twice has issued two.
 */
const CONTRADICTORY_SIGN_INS = `
SELECT sign_in_id, codes, used, refresh_tokens, access_tokens FROM (
  SELECT sign_in_id, count(*) FILTER (WHERE kind = 'AuthorizationCode') AS codes,
    count(consumed_at) AS used, count(*) FILTER (WHERE kind = 'RefreshToken') AS refresh_tokens,
    count(*) FILTER (WHERE kind = 'AccessToken') AS access_tokens
  FROM oauth_artifacts WHERE sign_in_id IS NOT NULL GROUP BY sign_in_id
) s WHERE codes <> 1 OR refresh_tokens <> used OR access_tokens <> used`;

const LIVE_TOKENS = `SELECT count(*)::int AS count FROM oauth_artifacts
WHERE id_hash = ANY ($1) AND kind = 'RefreshToken' AND consumed_at IS NULL AND expires_at > now()`;
const ROWS_OF = 'SELECT count(*)::int AS count FROM oauth_artifacts WHERE id_hash = ANY ($1)';
/** Rows that belong to no sign-in, and rows that the cleanup would not delete within 31 days. */
const UNEXPECTED_ROWS = `SELECT count(*) FILTER (WHERE kind = 'Interaction')::int AS interactions,
  count(*) FILTER (WHERE kind <> 'Interaction' AND sign_in_id IS NULL OR expires_at > now() + interval '31 days')::int AS others
FROM oauth_artifacts`;
const GRANTS = 'SELECT id, user_id, client_id, revoked_at, last_used_at FROM oauth_grants WHERE tenant_id = $1';

interface EventRow extends SubscribedEvent {
  position: string | null;
  type: string;
  user_id: string | null;
}

/** Compares what the applications saw with the rows, the events and the webhook. Returns the violations. */
export async function checkOAuth(
  system: SystemUnderTest,
  { log, users, setupEvents }: { log: OAuthLog; users: readonly OAuthUser[]; setupEvents: number },
): Promise<{ violations: string[]; events: Record<string, number> }> {
  const { database } = system;
  const history = system.deliveryHistory();
  const sql = 'SELECT id, position, type, user_id, payload FROM events WHERE tenant_id = $1 ORDER BY position';
  const all = (await database.query<EventRow>(sql, [history.tenantId])).rows;
  const subscribed = all.filter(({ type }) => type !== 'webhook.created' && type !== 'organization.created');
  const events = all.slice(setupEvents);
  const violations = [
    ...log.problems,
    ...(await rowViolations(system, log, users)),
    ...(await grantViolations(system, log, events)),
    ...suspicionViolations(log, events),
    ...gaps(
      'position in the tenant',
      all.map(({ position }) => position),
    ),
    ...(await listDeliveryViolations(history, subscribed, database)),
    ...(await system.reconciliationViolations(subscribed.length)),
  ];
  const counts: Record<string, number> = {};
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
  return { violations, events: counts };
}

async function rowViolations({ database }: SystemUnderTest, log: OAuthLog, users: readonly OAuthUser[]): Promise<string[]> {
  const count = async (statement: string, hashes: readonly Buffer[]): Promise<number> =>
    (await database.query<{ count: number }>(statement, [hashes])).rows[0]!.count;
  const contradictory = (await database.query<Record<string, unknown>>(CONTRADICTORY_SIGN_INS)).rows;
  const live = users.flatMap(({ liveHash }) => liveHash ?? []);
  const [{ interactions, others }] = (await database.query(UNEXPECTED_ROWS)).rows as [{ interactions: number; others: number }];
  const expectations: [what: string, actual: number, isExpected: (actual: number) => boolean][] = [
    ['users with a valid refresh token', live.length, (actual) => actual === users.length],
    ['valid refresh tokens that are stored', await count(LIVE_TOKENS, live), (actual) => actual === live.length],
    ['rows of ended sign-ins', await count(ROWS_OF, log.endedHashes), (actual) => actual === 0],
    ['authorization requests that nobody answered', interactions, (actual) => actual <= log.counts.abandonedRequests],
    ['rows without a sign-in or without an end', others, (actual) => actual === 0],
  ];
  return [
    ...contradictory.map((signIn) => `a sign-in has contradictory rows: ${JSON.stringify(signIn)}`),
    ...expectations.flatMap(([what, actual, isExpected]) => (isExpected(actual) ? [] : [`${what}: ${actual}`])),
  ];
}

/** Each grant has one event, and each sign-in that succeeded has a grant that its code has used. */
async function grantViolations(system: SystemUnderTest, log: OAuthLog, events: readonly EventRow[]): Promise<string[]> {
  const { tenantId } = system.deliveryHistory();
  const grants = (await system.database.query<Record<string, string | null>>(GRANTS, [tenantId])).rows;
  const used = grants.filter((grant) => grant['revoked_at'] === null && grant['last_used_at'] !== null);
  const created = events.filter(({ type }) => type === 'oauth_grant.created');
  const ids = grants.map(({ id }) => String(id));
  const announced = created.map(({ payload }) => (JSON.parse(payload) as { data: { id: string } }).data.id);
  const signedIn = used.map((grant) => `${grant['user_id']} ${grant['client_id']}`);
  return [
    ...difference(ids, announced).map((id) => `the grant ${id} has no event`),
    ...difference(announced, ids).map((id) => `the event of the grant ${id} has no grant`),
    ...difference([...log.grants], signedIn).map((grant) => `a sign-in of ${grant} has no used grant`),
  ];
}

/** A second use is reported once an hour for each user. */
function suspicionViolations(log: OAuthLog, events: readonly EventRow[]): string[] {
  const reported = events.filter(({ type }) => type === 'security.suspicious_activity').map(({ user_id: id }) => String(id));
  const ended = [...log.usersWithEnd];
  return [
    ...difference(ended, reported).map((id) => `a second use of a code or token of ${id} was not reported`),
    ...difference(reported, ended).map(
      (id) => `a second use of a code or token of ${id} was reported without an end of a sign-in, or twice`,
    ),
  ];
}
