import { createHash } from 'node:crypto';
import Sequencer from '@jest/test-sequencer';

/** With `--randomize`, Jest shuffles the tests within each file; this shuffles the files, too, by the same seed. */
export default class RandomizableSequencer extends Sequencer {
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
