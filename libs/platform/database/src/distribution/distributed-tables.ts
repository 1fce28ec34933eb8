import { DistributionError } from './distribution-error.js';

export const TENANT_COLUMN = 'tenant_id';
/** All tables that are distributed by tenant have their rows of a tenant on the same node as this table. */
export const TENANT_TABLE = 'organizations';

/**
 * Tables that are searched by a value that is unique across all tenants, with the column of this value. Their rows are on the node of the
 * value. Every other table with a `tenant_id` is distributed by tenant. Tables without one are small and stay on the coordinator.
 */
const DISTRIBUTED_BY_VALUE: ReadonlyMap<string, string> = new Map([
  ['idempotency_records', 'caller_id'],
  ['oauth_artifacts', 'id_hash'],
  ['oidc_sign_ins', 'state_hash'],
  ['organization_handles', 'handle'],
  ['token_hashes', 'hash'],
  ['verified_domains', 'name'],
]);

export interface Table {
  readonly name: string;
  readonly hasTenant: boolean;
  /** The other tables that the foreign keys of this table reference. */
  readonly references: readonly string[];
  readonly isDistributed: boolean;
  /** Size of the rows that are on the coordinator, but not in a shard. */
  readonly localBytes: number;
}

export interface DistributedTable extends Table {
  /** The column that decides on which node a row is. */
  readonly column: string;
  /** The table whose rows with the same value are on the same node, or `none`. */
  readonly colocation: string;
}

/**
 * Returns the tables that are distributed on Citus. Each table follows the tables that it references.
 * @throws DistributionError if foreign keys form a cycle
 */
export function tablesToDistribute(tables: readonly Table[]): DistributedTable[] {
  return inOrderOfReferences(tables.filter(({ name, hasTenant }) => hasTenant || DISTRIBUTED_BY_VALUE.has(name))).map((table) => {
    const value = DISTRIBUTED_BY_VALUE.get(table.name);
    const colocation = value === undefined && table.name !== TENANT_TABLE ? TENANT_TABLE : 'none';
    return { ...table, column: value ?? TENANT_COLUMN, colocation };
  });
}

function inOrderOfReferences(tables: readonly Table[]): Table[] {
  const tenantsFirst = tables.toSorted((a, b) => Number(b.name === TENANT_TABLE) - Number(a.name === TENANT_TABLE));
  const ordered = new Map<string, Table>();
  while (ordered.size < tables.length) {
    const next = tenantsFirst.find(({ name, references }) => !ordered.has(name) && references.every((each) => ordered.has(each)));
    if (!next) {
      const left = tables.map(({ name }) => name).filter((name) => !ordered.has(name));
      throw new DistributionError(
        `These tables can't be distributed, because their foreign keys form a cycle or reference a table without ${TENANT_COLUMN}: ${left.join(', ')}.`,
      );
    }
    ordered.set(next.name, next);
  }
  return [...ordered.values()];
}
