import type { RequestContext } from '#platform/common';
import { LRUCache } from 'lru-cache';
import { historyTableOf, isTracked, ORGANIZATION_COLUMNS, TRACKED_TABLES, type TrackedTable } from './tracked-tables.js';

/** Relations that reads compute from tracked tables. `at` is the placeholder of the moment. */
const COMPUTED: Readonly<Record<string, { readonly from: readonly TrackedTable[]; readonly sql: (at: string) => string }>> = {
  // The present counts without the changes after the moment, so that a count reads only these changes. Counts of roles are not included.
  directory_counts: {
    from: ['directory_entries'],
    sql: (at) => `SELECT tenant_id, organization_id, dimension, status, amount FROM directory_counts
      UNION ALL SELECT tenant_id, organization_id, dimension, status, amount FROM directory_count_deltas
      ${['user', 'member'].map((dimension) => changesSince(at, dimension)).join('')}`,
  },
  directory_count_deltas: {
    from: ['directory_entries'],
    sql: () =>
      `SELECT tenant_id, organization_id, 'user' AS dimension, status, 0::bigint AS amount FROM directory_entries WHERE false`,
  },
  /** Like the view, at the moment instead of now. */
  break_glass_grants: {
    from: ['break_glass_requests', 'organizations', 'role_assignments'],
    sql: (at) => `SELECT b.tenant_id, b.organization_id, b.requester_tenant_id AS user_tenant_id, b.requester_id AS user_id,
        'role_owner' AS role_id,
        (SELECT min(r.user_status) FROM role_assignments r WHERE r.tenant_id = b.tenant_id AND r.user_id = b.requester_id) AS user_status
      FROM break_glass_requests b
      WHERE b.status = 'approved' AND b.ends_at > ${at}
        AND EXISTS (SELECT FROM role_assignments r, organizations o
          WHERE o.tenant_id = b.tenant_id AND o.id = b.organization_id AND r.tenant_id = b.tenant_id AND r.user_id = b.requester_id AND r.organization_id = ANY (o.ancestor_ids || o.id))`,
  },
};

/** Adds entries that the directory had at the moment and no longer has, and subtracts entries that the directory has only since then. */
function changesSince(at: string, dimension: string): string {
  const changes = (amount: number, period: string) =>
    `UNION ALL SELECT v.tenant_id, v.organization_id, '${dimension}', v.status, ${amount} FROM directory_entries_history v
      WHERE ${period}${dimension === 'member' ? ' AND v.member' : ''} `;
  return (
    changes(1, `v.valid_from <= ${at} AND v.valid_to > ${at} AND v.valid_to < 'infinity'`) +
    changes(-1, `v.valid_from > ${at} AND v.valid_to = 'infinity'`)
  );
}

const NAMES = new RegExp(`\\b(?:${[...Object.keys(TRACKED_TABLES), ...Object.keys(COMPUTED)].join('|')})\\b`, 'g');
const WRITES_OR_LOCKS = /\b(?:INSERT INTO|UPDATE|DELETE FROM|FOR (?:NO KEY )?UPDATE|FOR (?:KEY )?SHARE)\b/;
const OTHER_TABLES = /\b(?:FROM|JOIN)\s+(?!LATERAL\b|unnest\b|json_)([a-z_]{3,})\b/g;
/** The rows of users can be read in each organization of which the user is or was a member. */
const HIDDEN_COLUMNS: Readonly<Partial<Record<TrackedTable, string>>> = { ...ORGANIZATION_COLUMNS, users: undefined };

interface AsOfText {
  readonly text: string;
  /** Whether the last parameter is the ids of hidden organizations. */
  readonly hides: boolean;
}

/** Texts of lists contain the offset of the page, so their number is not limited. */
const cache = new LRUCache<string, AsOfText>({ max: 1_000 });

/**
 * Returns a read as a read as of a moment, without the rows of hidden organizations, and its parameters. The names of tables become names of
 * common table expressions with the versions that were valid at the moment. PostgreSQL and Citus merge these into the statement, so that
 * conditions reach the indexes.
 * @throws Error if the statement writes or locks rows, or reads a table that has no history
 */
export function asOfStatement(
  text: string,
  values: readonly unknown[],
  { asOf, hiddenOrganizationIds: hiddenIds = [] }: Pick<RequestContext, 'asOf' | 'hiddenOrganizationIds'>,
): { readonly text: string; readonly values: readonly unknown[] } {
  const key = `${hiddenIds.length > 0} ${text}`;
  const read = cache.get(key) ?? asOfText(text, values.length, hiddenIds.length > 0);
  cache.set(key, read);
  return { text: read.text, values: [...values, asOf, ...(read.hides ? [hiddenIds] : [])] };
}

function asOfText(text: string, parameterCount: number, withHidden: boolean): AsOfText {
  if (WRITES_OR_LOCKS.test(text)) throw new Error(`This statement can't run as of a moment: ${text}`);
  const at = `$${parameterCount + 1}::timestamptz`;
  const mentioned = text.match(NAMES) ?? [];
  const names = new Set([...mentioned, ...mentioned.flatMap((name) => COMPUTED[name]?.from ?? [])]);
  assertKnownTables(text, names);
  const tables = [...names].filter(isTracked);
  const hides = withHidden && tables.some((table) => HIDDEN_COLUMNS[table] !== undefined);
  const hidden = (table: TrackedTable): string => {
    const column = HIDDEN_COLUMNS[table];
    return hides && column ? ` AND v.${column} <> ALL ($${parameterCount + 2}::text[])` : '';
  };
  const parts = [
    ...tables.map((table) => {
      const versions = `SELECT * FROM ${historyTableOf(table)} v WHERE v.valid_from <= ${at} AND v.valid_to > ${at}${hidden(table)}`;
      return `${table} AS NOT MATERIALIZED (${versions})`;
    }),
    ...Object.entries(COMPUTED)
      .filter(([name]) => names.has(name))
      .map(([name, { sql }]) => `${name} AS NOT MATERIALIZED (${sql(at)})`),
  ];
  const query = /^\s*WITH\s+/.exec(text);
  const result = query ? `WITH ${parts.join(', ')}, ${text.slice(query[0].length)}` : `WITH ${parts.join(', ')} ${text}`;
  return { text: result, hides };
}

/** Prevents reads as of a moment from reading present rows. */
function assertKnownTables(text: string, names: ReadonlySet<string>): void {
  const ownNames = new Set([...text.matchAll(/\b([a-z_]+)(?: \([a-z_, ]+\))? AS (?:MATERIALIZED )?\(/g)].map(([, name]) => name));
  const unknown = [...text.matchAll(OTHER_TABLES)]
    .map(([, name]) => name ?? '')
    .filter((name) => !names.has(name) && !ownNames.has(name));
  if (names.size === 0 || unknown.length > 0)
    throw new Error(`This statement reads ${unknown.join(', ') || 'no table'}, without a history: ${text}`);
}
