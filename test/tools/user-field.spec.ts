import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectCopy } from './project-copy.js';

const MIGRATIONS = 'libs/platform/database/src/migrations';
const TIMEOUT_MS = 600_000;

/** The manual edits. Each edit inserts `text` before a line of a file. */
const EDITS = [
  {
    file: 'libs/directory/users/src/user-fields.ts',
    before: '} as const satisfies',
    text: `  jobTitle: {
    decorator: (options) => TextField({ ...options, maxLength: 100 }),
    description: 'Job title.',
    example: 'Engineer',
    shownIn: ['list'],
  },
`,
  },
  {
    file: 'libs/directory/users/src/user.entity.ts',
    before: "  @Column('text') status!:",
    text: "  @Column('text', { name: 'job_title', nullable: true }) jobTitle!: string | null;\n",
  },
  {
    file: 'libs/platform/events/src/event-data.ts',
    before: '};\n\nexport interface UserData',
    text: "  jobTitle: 'Engineer',\n",
  },
];

/** Adds an optional text field to a copy of the project with the steps in CONTRIBUTING.md. */
describe('a new user field', () => {
  let copy: ProjectCopy;
  beforeAll(() => {
    copy = new ProjectCopy();
  });
  afterAll(() => copy.remove());

  const run = (command: string, ...parameters: string[]): string => {
    const { status, stdout, stderr } = copy.run(command, ...parameters);
    if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} failed:\n${stdout}${stderr}`);
    return stdout;
  };
  const edit = (file: string, at: string, text: string): void => {
    const [start, end, ...others] = copy.read(file).split(at);
    if (end === undefined || others.length > 0) throw new Error(`${file} does not contain "${at}" exactly once.`);
    writeFileSync(copy.path(file), `${start}${text}${at}${end}`);
  };

  it(
    'requires edits of only 4 files and a migration',
    () => {
      for (const { file, before: at, text } of EDITS) edit(file, at, text);
      run('npm', 'run', 'migration:create', '--', 'users-job-title');
      const migration = readdirSync(copy.path(MIGRATIONS)).find((file) => file.endsWith('-users-job-title.ts')) ?? '';
      const empty = '`\n    `';
      const [start, middle, end] = copy.read(join(MIGRATIONS, migration)).split(empty);
      const inBoth = (change: string) =>
        `'ALTER TABLE users ${change}');\n    await queryRunner.query('ALTER TABLE users_history ${change}'`;
      const statements = [inBoth('ADD COLUMN job_title text'), inBoth('DROP COLUMN job_title')];
      writeFileSync(copy.path(join(MIGRATIONS, migration)), `${start}${statements[0]}${middle}${statements[1]}${end}`);

      const edited = [...EDITS.map(({ file }) => file), `${MIGRATIONS}/index.ts`];
      expect(copy.changed()).toEqual([...edited, `${MIGRATIONS}/${migration}`].toSorted());
      expect(edited.length).toBeLessThanOrEqual(4);

      run('npm', 'run', '--silent', 'tsc', '--', '--noEmit', '-p', 'tsconfig.json');
      cpSync(join(import.meta.dirname, 'user-field/job-title.spec.ts.txt'), copy.path('test/e2e/job-title.spec.ts'));
      const jest = ['run', '--silent', 'jest', '--', '--forceExit', '--maxWorkers=1'];
      run('npm', ...jest, '--selectProjects', 'e2e', '--testPathPatterns', 'e2e/job-title');
      run('npm', ...jest, '--selectProjects', 'integration', '--testPathPatterns', 'integration/schema');
    },
    TIMEOUT_MS,
  );
});
