import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.cache', '.data', 'images']);
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
  let copy: string;
  let before: Map<string, string>;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'user-field-test-'));
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    before = contents();
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const read = (path: string): string => readFileSync(join(copy, path), 'utf8');
  const contents = (): Map<string, string> => {
    const files = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(copy.length + 1));
    return new Map(paths.filter((path) => !/^(?:node_modules|\.cache)\//.test(path)).map((path) => [path, read(path)]));
  };
  const run = (command: string, ...parameters: string[]): string => {
    const { status, stdout, stderr } = spawnSync(command, parameters, { cwd: copy, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${parameters.join(' ')} failed:\n${stdout}${stderr}`);
    return stdout;
  };
  const edit = (file: string, at: string, text: string): void => {
    const [start, end, ...others] = read(file).split(at);
    if (end === undefined || others.length > 0) throw new Error(`${file} does not contain "${at}" exactly once.`);
    writeFileSync(join(copy, file), `${start}${text}${at}${end}`);
  };

  it(
    'requires edits of only 4 files and a migration',
    () => {
      for (const { file, before: at, text } of EDITS) edit(file, at, text);
      run('npm', 'run', 'migration:create', '--', 'users-job-title');
      const migration = readdirSync(join(copy, MIGRATIONS)).find((file) => file.endsWith('-users-job-title.ts')) ?? '';
      const empty = '`\n    `';
      const [start, middle, end] = read(join(MIGRATIONS, migration)).split(empty);
      const inBoth = (change: string) =>
        `'ALTER TABLE users ${change}');\n    await queryRunner.query('ALTER TABLE users_history ${change}'`;
      const statements = [inBoth('ADD COLUMN job_title text'), inBoth('DROP COLUMN job_title')];
      writeFileSync(join(copy, MIGRATIONS, migration), `${start}${statements[0]}${middle}${statements[1]}${end}`);

      const after = contents();
      const changed = [...after.keys()].filter((path) => before.get(path) !== after.get(path)).toSorted();
      const edited = [...EDITS.map(({ file }) => file), `${MIGRATIONS}/index.ts`];
      expect(changed).toEqual([...edited, `${MIGRATIONS}/${migration}`].toSorted());
      expect(edited.length).toBeLessThanOrEqual(4);

      run('npm', 'run', '--silent', 'tsc', '--', '--noEmit', '-p', 'tsconfig.json');
      cpSync(join(import.meta.dirname, 'user-field/job-title.spec.ts.txt'), join(copy, 'test/e2e/job-title.spec.ts'));
      const jest = ['run', '--silent', 'jest', '--', '--forceExit', '--maxWorkers=1'];
      run('npm', ...jest, '--selectProjects', 'e2e', '--testPathPatterns', 'e2e/job-title');
      run('npm', ...jest, '--selectProjects', 'integration', '--testPathPatterns', 'integration/schema');
    },
    TIMEOUT_MS,
  );
});
