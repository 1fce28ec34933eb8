import { createHash } from 'node:crypto';
import Sequencer from '@jest/test-sequencer';

/** With `--randomize`, shuffles the files with the seed of Jest. Jest itself shuffles only the tests in each file. */
export default class ShufflingSequencer extends Sequencer {
  constructor(context) {
    super(context);
    this.seed = context.globalConfig.randomize ? context.globalConfig.seed : undefined;
  }

  sort(tests) {
    if (this.seed === undefined) return super.sort(tests);
    const rank = ({ path }) => createHash('sha256').update(`${this.seed} ${path}`).digest('hex');
    return tests.toSorted((one, other) => rank(one).localeCompare(rank(other)));
  }
}
