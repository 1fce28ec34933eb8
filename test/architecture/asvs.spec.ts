import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VARIABLES } from '#platform/config';
import { resolveSettings } from '#directory/organizations';
import {
  CLOSED_MS,
  FAILURES_UNTIL_CLOSED,
  FAILURES_UNTIL_LOCK,
  RESET_AFTER_MS,
} from '../../libs/identity/sign-in/src/attempts/attempt-limits.js';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'docs/security';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The requirements of levels 1 and 2 in chapters V1, V2, V4, V6 to V10, V13 and V16 of OWASP ASVS 5.0.0. */
const REQUIREMENTS: Record<'1' | '2', string> = {
  1: `1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.5.1 2.1.1 2.2.1 2.2.2 2.3.1 4.1.1 4.4.1
    6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2
    7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2 8.1.1 8.2.1 8.2.2 8.3.1 9.1.1 9.1.2 9.1.3 9.2.1
    10.4.1 10.4.2 10.4.3 10.4.4 10.4.5 13.4.1`,
  2: `1.1.1 1.1.2 1.2.6 1.2.7 1.2.8 1.2.9 1.3.3 1.3.4 1.3.5 1.3.6 1.3.7 1.3.8 1.3.9 1.3.10 1.3.11 1.4.1 1.4.2 1.4.3 1.5.2
    2.1.2 2.1.3 2.2.3 2.3.2 2.3.3 2.3.4 2.4.1 4.1.2 4.1.3 4.2.1 4.3.1 4.3.2 4.4.2 4.4.3 4.4.4
    6.1.2 6.1.3 6.2.9 6.2.10 6.2.11 6.2.12 6.3.3 6.3.4 6.4.3 6.4.4 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.1 6.6.2 6.6.3
    6.8.1 6.8.2 6.8.3 6.8.4 7.1.1 7.1.2 7.1.3 7.3.1 7.3.2 7.4.3 7.4.4 7.4.5 7.5.1 7.5.2 7.6.1 7.6.2
    8.1.2 8.2.3 8.4.1 9.2.2 9.2.3 9.2.4
    10.1.1 10.1.2 10.2.1 10.2.2 10.3.1 10.3.2 10.3.3 10.3.4 10.4.6 10.4.7 10.4.8 10.4.9 10.4.10 10.4.11
    10.5.1 10.5.2 10.5.3 10.5.4 10.5.5 10.6.1 10.6.2 10.7.1 10.7.2 10.7.3
    13.1.1 13.2.1 13.2.2 13.2.3 13.2.4 13.2.5 13.3.1 13.3.2 13.4.2 13.4.3 13.4.4 13.4.5
    16.1.1 16.2.1 16.2.2 16.2.3 16.2.4 16.2.5 16.3.1 16.3.2 16.3.3 16.3.4 16.4.1 16.4.2 16.4.3 16.5.1 16.5.2 16.5.3`,
};

const VERDICTS = ['met', 'not applicable', 'not met'];

interface Row {
  readonly id: string;
  readonly level: string;
  readonly verdict: string;
  readonly reason: string;
  readonly tests: readonly { readonly titles: readonly string[]; readonly path: string }[];
}

function rows(): Row[] {
  const lines = read(`${FOLDER}/asvs.md`).matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| [^|]+ \| ([^|]+) \| ([^|]*) \|$/gm);
  return [...lines].map(([, id, level, verdict, reason]) => ({
    id: id!,
    level: level!,
    verdict: verdict!,
    reason: reason!,
    tests: [...reason!.matchAll(/\[([^\]]+)\]\(([^)]+\.spec\.ts)\)/g)].map(([, title, path]) => ({
      titles: title!.split(' › '),
      path: join(FOLDER, path!),
    })),
  }));
}

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
const names = (source: string, title: string): boolean =>
  [`'${title}'`, `"${title}"`, `\`${title}\``].some((text) => source.includes(text));

interface Operation {
  readonly security?: readonly unknown[];
}
const openApi = () => JSON.parse(read('openapi.json')) as { paths: Record<string, Record<string, Operation>> };

describe('docs/security/asvs.md', () => {
  it('lists every requirement of levels 1 and 2 in order', () => {
    const wanted = Object.entries(REQUIREMENTS).flatMap(([level, ids]) => ids.split(/\s+/).map((id) => [id, level] as const));
    expect(rows().map(({ id, level }) => [id, level])).toEqual(wanted.toSorted(([a], [b]) => byNumber(a, b)));
  });

  it('names tests or a reason for each requirement', () => {
    for (const { id, verdict, reason, tests } of rows()) {
      expect([id, VERDICTS]).toEqual([id, expect.arrayContaining([verdict])]);
      if (verdict === 'met') expect([id, tests.length]).not.toEqual([id, 0]);
      else expect([id, reason.trim()]).not.toEqual([id, '']);
    }
  });

  it('has no unmet requirement of level 1', () => {
    expect(rows().filter(({ level, verdict }) => level === '1' && verdict === 'not met')).toEqual([]);
  });

  it('links only to existing tests', () => {
    const missing = rows().flatMap(({ id, tests }) =>
      tests.flatMap(({ titles, path }) => {
        const source = read(path);
        return titles.filter((title) => !names(source, title)).map((title) => `${id}: ${path} has no "${title}"`);
      }),
    );
    expect(missing).toEqual([]);
  });
});

describe('docs/security/sign-in.md', () => {
  const page = (): string => read(`${FOLDER}/sign-in.md`);

  it('lists exactly the operations without credentials', () => {
    const open = Object.entries(openApi().paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => path.startsWith('/v1/') && security?.length === 0)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    const listed = [...page().matchAll(/^\| `((?:GET|POST) \/v1\/[^`]+)` \|/gm)].map(([, operation]) => operation!);
    expect(listed.toSorted()).toEqual(open.toSorted());
  });

  it('lists the rate limits of the source code', () => {
    const { passwordPolicy, sessionTimeout, requireMfa } = resolveSettings([]).values;
    expect(requireMfa).toBe(false);
    for (const text of [
      `${FAILURES_UNTIL_LOCK} failures in a row`,
      `quiet for ${RESET_AFTER_MS / 60_000} minutes`,
      `${FAILURES_UNTIL_CLOSED} failures in a row`,
      `after ${CLOSED_MS / 86_400_000} days`,
      `\`minLength\`, ${passwordPolicy.minLength} unless`,
      `\`sessionTimeout\`, ${sessionTimeout / 3_600} hours unless`,
    ])
      expect(page()).toContain(text);
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
  it('creates sessions in one file only', () => {
    expect(filesWith('libs', /: SessionService\b[^]*\bsessions\.create\(/)).toEqual(['identity/sign-in/src/sign-in.service.ts']);
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
        'platform/http/src/idempotency/idempotency.interceptor.ts',
        'webhooks/delivery/src/signing/signature.ts',
      ]);
    });

    it('is detected if === replaces constantTimeEqual', () => {
      const value = String.raw`(?:[^(),]|\((?:[^()])*\))+`;
      const call = new RegExp(`(?:constantTimeEqual|timingSafeEqual)\\((${value}), (${value})\\)`, 'g');
      // tokens.ts implements constantTimeEqual.
      const files = filesWith('libs', /(?:constantTimeEqual|timingSafeEqual)\(/).filter(
        (file) => file !== 'platform/crypto/src/tokens.ts',
      );
      const mutants = files.flatMap((file) =>
        [...read(`libs/${file}`).matchAll(call)].map(([, first, second]) => ({ file, line: `if (${first} === ${second})` })),
      );
      expect(mutants.length).toBeGreaterThanOrEqual(9);
      expect(mutants.filter(({ line }) => !compared.test(line))).toEqual([]);
    });
  });

  it('has no API field for password hints or secret questions', () => {
    expect(fieldsOfApi().filter((name) => /hint|question|securityanswer/i.test(name))).toEqual([]);
  });

  it('has no OAuth authorization server', () => {
    const ofGrants = /^(?:grant_?types?|authorization_?code|refresh_?token|code_?challenge|client_?metadata|redirect_?uris)$/i;
    expect(fieldsOfApi().filter((name) => ofGrants.test(name))).toEqual([]);
    const ofServers = /oauth2?\/|\/authorize$|openid-configuration|oauth-authorization-server|\/(?:introspect|revoke|par)$/;
    expect(Object.keys(openApi().paths).filter((path) => ofServers.test(path))).toEqual([]);
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
