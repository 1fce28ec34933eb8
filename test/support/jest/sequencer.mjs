import { createHash } from 'node:crypto';
import Sequencer from '@jest/test-sequencer';

/**
 * Runs the contract tests first, because contract tests take longest. With `--randomize`, shuffles the files with the seed of Jest. Jest itself
 * shuffles the tests in each file.
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
