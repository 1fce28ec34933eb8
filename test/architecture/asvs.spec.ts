import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VARIABLES } from '#platform/config';
import { isSecured } from '../../apps/server/src/openapi/common-responses.js';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'docs/security';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Operation {
  readonly security?: readonly unknown[];
}
const openApi = () => JSON.parse(read('openapi.json')) as { paths: Record<string, Record<string, Operation>> };

describe('docs/security/sign-in.md', () => {
  const page = (): string => read(`${FOLDER}/sign-in.md`);

  it('lists exactly the operations without credentials', () => {
    const open = Object.entries(openApi().paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => path.startsWith('/v1/') && !isSecured(operation))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    const listed = [...page().matchAll(/^\| `((?:GET|POST) \/v1\/[^`]+)` \|/gm)].map(([, operation]) => operation!);
    expect(listed.toSorted()).toEqual(open.toSorted());
  });
});

describe('docs/security/threat-model.md', () => {
  it('lists every setting that is the URL of an external system', () => {
    const settings = Object.keys(VARIABLES).filter((name) => /_URLS?$|_ENDPOINT$/.test(name) && name !== 'BASE_URL');
    const [, section = ''] = /^## Connections to others$([\s\S]*?)^## /m.exec(read(`${FOLDER}/threat-model.md`)) ?? [];
    expect(settings.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  });
});

/** Returns the paths of the source files that match the pattern. Excludes tests. */
const filesWith = (folder: string, what: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .filter((path) => what.test(read(join(folder, path))));

describe('the source code', () => {
  it('creates sessions in one file of sign-ins and one of impersonations only', () => {
    expect(filesWith('libs', /: SessionService\b[^]*\bsessions\.create\(/)).toEqual([
      'identity/impersonation/src/impersonation-sessions.service.ts',
      'identity/sign-in/src/sign-in.service.ts',
    ]);
  });

  it('runs no dynamic code and no unexpected program', () => {
    const programs = ['process-identity', 'postmaster', 'server-account'].map(
      (name) => `platform/database/src/embedded/${name}.ts`,
    );
    expect(filesWith('libs', /child_process|node:cluster|worker_threads/).toSorted()).toEqual(programs.toSorted());
    expect(filesWith('libs/platform/database/src/embedded', /\bexec(?:Sync)?\(|shell:/)).toEqual([]);
    const code = /(?<!\.client\.)\beval\(|new Function\b|node:vm\b|setTimeout\(\s*['"`]/;
    expect([...filesWith('libs', code), ...filesWith('apps/server/src', code)]).toEqual([]);
    expect(filesWith('apps/server/src', /child_process|worker_threads/)).toEqual([]);
    // With WORKERS, the process forks only its own main file, without arguments.
    expect(filesWith('apps/server/src', /\.fork\(/)).toEqual(['cluster/server-processes.ts']);
    expect(filesWith('apps/server/src', /\bsetupPrimary\b|\bexecArgv\b/)).toEqual(['cluster/start-primary.ts']);
    expect(filesWith('apps/server/src', /cluster\.setupPrimary\(\{ exec: entry, args: \[\], /)).toEqual([
      'cluster/start-primary.ts',
    ]);
    expect(filesWith('apps/server/src', /\.startPrimary\(config, import\.meta\.filename, /)).toEqual(['main.ts']);
    // These files build regular expressions from constants only.
    expect(filesWith('libs', /new RegExp\(/).toSorted()).toEqual([
      'platform/common/src/url.ts',
      'platform/crypto/src/password-formats/argon2.ts',
      'platform/database/src/history/as-of-statement.ts',
      'platform/database/src/history/tracked-writes.ts',
    ]);
  });

  describe('a comparison of secrets', () => {
    const secret =
      '(?:[hH]ash|[tT]oken|[sS]ecret|[sS]ignature|[dD]igest|[pP]assword|\\b[sS]ent|\\b[kK]ept|\\b[eE]xpected|\\b[dD]erived)';
    const nothing = '(?!undefined|null|typeof|true|false|[\'"`\\d])';
    const compared = new RegExp(
      `${secret}\\)* [!=]== ${nothing}|[!=]== [\\w.]*${secret}\\b(?![.(])|${secret}\\)*\\.(?:equals|localeCompare)\\(`,
    );

    it('takes constant time', () => {
      expect(filesWith('libs', compared).toSorted()).toEqual([
        // Compares two normalizations of one password.
        'platform/crypto/src/password-hasher.ts',
        // The hashes of the event chain are public for readers of the event log.
        'platform/event-log/src/verification/chain-check.ts',
      ]);
      expect(filesWith('libs', /timingSafeEqual/).toSorted()).toEqual([
        'platform/crypto/src/tokens.ts',
        'platform/http/src/idempotency/idempotent-calls.service.ts',
        'webhooks/delivery/src/signing/signature.ts',
      ]);
    });
  });

  it('has no API field for password hints or secret questions', () => {
    // Parameters of OAuth and OpenID Connect, which are no hints for passwords.
    const standard = new Set(['login_hint', 'id_token_hint', 'token_type_hint']);
    const fields = fieldsOfApi().filter((name) => /hint|question|securityanswer/i.test(name));
    expect(fields.filter((name) => !standard.has(name))).toEqual([]);
  });
});

/** Returns the names of all fields and parameters of the OpenAPI document. */
function fieldsOfApi(): string[] {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties, name, in: place } = value as { properties?: object; name?: unknown; in?: unknown };
    if (typeof properties === 'object') for (const key of Object.keys(properties)) found.add(key);
    if (typeof name === 'string' && typeof place === 'string') found.add(name);
    for (const each of Object.values(value)) collect(each);
  };
  collect(openApi());
  return [...found];
}
