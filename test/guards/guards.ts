import { readFileSync } from 'node:fs';

interface Guard {
  readonly class: string;
  readonly file: string;
  readonly guard: string;
  readonly without: string;
  /** The Jest project, the file and the beginning of the title. */
  readonly test: readonly [project: string, file: string, title: string];
}

/**
 * Guards against the classes of mistakes in `docs/security/incidents.md`. `guard` is the code of the guard, and `without` is the code without the
 * guard. `npm run test:guards` replaces `guard` with `without` and checks that `test` fails.
 */
export const GUARDS = JSON.parse(readFileSync(new URL('guards.json', import.meta.url), 'utf8')) as readonly Guard[];
