// Processor time: hundreds of random reads, each repeated as of its moment.
import { describe, expect, it } from '@jest/globals';
import { Random } from '../faults/random.js';
import { historyDifferences, momentOf } from '../support/history.js';
import { testApp } from '../support/test-app.js';
import { SEED, sized } from '../support/test-size.js';
import { RandomChanges } from './random-histories/changes.js';
import { type Answer, answerOf, asOfOperations, type Read, readsOf } from './random-histories/reads.js';

const CHANGES = sized(20, 60, 200);
/** The number of reads of each operation at each moment. */
const READS = sized(2, 5, 10);
const LONG_TEST_MS = 60 * 60_000;

interface Observation {
  readonly change: string;
  readonly moment: string;
  readonly read: Read;
  readonly answer: Answer;
}

describe('a random history', () => {
  const app = testApp();

  it(
    `has the answers of each moment (SEED=${SEED})`,
    async () => {
      const random = new Random(SEED);
      const changes = new RandomChanges(app, random);
      await changes.start();
      const operations = await asOfOperations();
      expect(operations.length).toBeGreaterThanOrEqual(10);

      const observations: Observation[] = [];
      const observe = async (change: string, count: number): Promise<void> => {
        const moment = await momentOf(app.database);
        const reads = operations.flatMap((operation) => random.shuffled(readsOf(operation, changes)).slice(0, count));
        for (const read of reads) observations.push({ change, moment, read, answer: await answerOf(app, read) });
      };
      // All reads of the state before the changes, so that each operation succeeds with every seed.
      await observe('start', Number.MAX_SAFE_INTEGER);
      for (let count = 0; count < CHANGES; count++) await observe(await changes.run(), READS);
      await changes.restoreOrganizations();

      const differences: unknown[] = [];
      for (const { change, moment, read, answer } of observations) {
        const past = await answerOf(app, read, moment);
        if (past !== answer) differences.push({ change, moment, read, answered: answer, asOf: past });
      }
      expect(differences.slice(0, 3)).toEqual([]);
      expect(await historyDifferences(app.database)).toEqual([]);
      const answered = new Set(observations.filter(({ answer }) => answer.startsWith('200')).map(({ read }) => read.operationId));
      expect([...answered].toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
    },
    LONG_TEST_MS,
  );
});
