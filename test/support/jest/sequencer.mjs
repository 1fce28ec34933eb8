import { createHash } from 'node:crypto';
import Sequencer from '@jest/test-sequencer';

/**
 * Puts the contract tests first: they take longest, which Jest knows only after a first run. With `--randomize`, Jest shuffles the tests
 * within each file; this shuffles the files, too, by the same seed.
 */
export default class OwnSequencer extends Sequencer {
  constructor(context) {
    super(context);
    this.seed = context.globalConfig.randomize ? context.globalConfig.seed : undefined;
  }

  sort(tests) {
    if (this.seed === undefined) return super.sort(tests).toSorted((one, other) => isContract(other) - isContract(one));
    const rank = ({ path }) => createHash('sha256').update(`${this.seed} ${path}`).digest('hex');
    return tests.toSorted((one, other) => rank(one).localeCompare(rank(other)));
  }
}

const isContract = ({ path }) => Number(path.includes('/test/contract/'));
