import { readVariable } from '#platform/config';
import { runMigrations } from '#platform/database';

/**
 * Distributes the tables of a database with data over the nodes of a Citus cluster, and prints the progress. `docs/citus.md` has the steps.
 * @throws DistributionError
 */
export async function distribute(databaseUrl: string): Promise<void> {
  await runMigrations(databaseUrl, { distribution: 'all', log: (line) => console.log(line) });
  if (readVariable(process.env, 'DATABASE_DISTRIBUTED') !== 'citus')
    console.log('Set DATABASE_DISTRIBUTED=citus for all processes, then start the service.');
}
