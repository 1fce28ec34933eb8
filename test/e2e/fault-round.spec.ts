import { expect, it } from '@jest/globals';
import { expectGuarantees, LIMIT_MS, startRunsBeforeTests, type Run } from '../faults/fault-run.js';

/** A single round. `npm run test:faults` runs hundreds of rounds. */
const RUN: Run = { name: 'one process with its own queue', writers: 4, rounds: [['kill all', 1, 1]] };

const outcomeOf = startRunsBeforeTests([RUN]);

it(
  'the service loses no change and no event if the process is killed',
  async () => {
    const outcome = await outcomeOf(RUN);
    expectGuarantees(RUN, outcome);
    expect(outcome.verdict.deliveries).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
