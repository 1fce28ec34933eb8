import { expect, it } from '@jest/globals';
import { expectGuarantees, LIMIT_MS, type Run } from '../faults/fault-run.js';

/** A single round. `npm run test:faults` runs hundreds of rounds. */
const RUN: Run = { name: 'one process with its own queue', writers: 4, rounds: [['kill all', 1, 1]] };

it(
  'the service loses no change and no event if the process is killed',
  async () => expect((await expectGuarantees(RUN)).verdict.deliveries).toBeGreaterThan(0),
  LIMIT_MS,
);
