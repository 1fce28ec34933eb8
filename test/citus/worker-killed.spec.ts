import { it } from '@jest/globals';
import { expectGuarantees, LIMIT_MS, type Run } from '../faults/fault-run.js';

/** Batches of deliveries have rows of several tenants on both workers. */
const RUN: Run = {
  name: 'a service on Citus',
  postgres: 'citus',
  tenants: 8,
  writers: 8,
  rounds: [
    ['lose a worker of citus', 2, 5],
    ['move a shard', 1, 2],
  ],
};

it(
  'a service on Citus loses no confirmed change while a worker is killed or a shard moves',
  async () => void (await expectGuarantees(RUN)),
  LIMIT_MS,
);
