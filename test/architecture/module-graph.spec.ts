import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

/** Which libs each lib may import. Arrows go downwards only; a new one is a decision, made here. */
const ALLOWED: Record<string, readonly string[]> = {
  common: [],
  config: ['common'],
  crypto: ['common', 'config'],
  database: ['common', 'config'],
  redis: [],
  observability: ['common', 'config'],
  outbound: ['common', 'config'],
  http: ['common', 'config', 'crypto', 'database'],
  mail: ['common', 'config', 'crypto', 'database', 'http', 'observability'],
  events: ['common', 'config', 'database'],
  'event-log': ['common', 'config', 'database', 'http', 'events', 'observability'],
  organizations: ['common', 'config', 'crypto', 'database', 'http', 'events', 'outbound'],
  threats: ['common', 'config', 'database', 'events'],
  sessions: ['common', 'config', 'crypto', 'database', 'events'],
  roles: ['common', 'database', 'http', 'events', 'organizations'],
  memberships: ['common', 'config', 'database', 'http', 'events', 'mail', 'organizations', 'threats', 'roles'],
  webhooks: ['common', 'config', 'crypto', 'database', 'http', 'events', 'outbound', 'organizations', 'memberships'],
  delivery: [
    'common',
    'config',
    'crypto',
    'database',
    'http',
    'mail',
    'events',
    'event-log',
    'threats',
    'observability',
    'redis',
    'outbound',
    'organizations',
    'webhooks',
  ],
  users: [
    'common',
    'config',
    'crypto',
    'database',
    'http',
    'events',
    'event-log',
    'mail',
    'sessions',
    'organizations',
    'roles',
    'memberships',
  ],
  credentials: [
    'common',
    'config',
    'crypto',
    'database',
    'http',
    'observability',
    'events',
    'mail',
    'sessions',
    'organizations',
    'users',
  ],
  mfa: [
    'common',
    'config',
    'crypto',
    'database',
    'http',
    'events',
    'mail',
    'sessions',
    'organizations',
    'users',
    'credentials',
    'threats',
  ],
  'break-glass': ['common', 'config', 'database', 'http', 'events', 'mail', 'organizations'],
  auth: ['common', 'config', 'crypto', 'database', 'http', 'redis', 'events', 'organizations', 'memberships'],
  'session-access': [
    'common',
    'config',
    'crypto',
    'database',
    'http',
    'events',
    'organizations',
    'sessions',
    'roles',
    'memberships',
    'users',
    'auth',
  ],
  'sign-in': [
    'common',
    'config',
    'crypto',
    'database',
    'http',
    'events',
    'mail',
    'mfa',
    'organizations',
    'sessions',
    'threats',
    'users',
    'credentials',
    'auth',
    'mfa',
  ],
  federation: [
    'common',
    'config',
    'crypto',
    'database',
    'http',
    'events',
    'outbound',
    'organizations',
    'memberships',
    'users',
    'credentials',
    'sign-in',
    'mfa',
    'sessions',
  ],
};

const PERSISTENCE = /(?:\.entity|\.repository|\.read|\.module)\.ts$|^libs\/platform\/database\/|^ormconfig\.ts$|^test\//;

interface SourceFile {
  path: string;
  imports: string[];
}

function sources(directory: string): SourceFile[] {
  return readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      const path = relative(ROOT, join(ROOT, directory, file));
      const text = readFileSync(join(ROOT, path), 'utf8');
      const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
      return { path, imports };
    });
}

const libFiles = sources('libs').filter(({ path }) => !path.endsWith('.spec.ts'));
const libOf = (path: string): string => path.split('/')[2] ?? '';

describe('the module graph', () => {
  it('knows every lib', () => {
    expect([...new Set(libFiles.map(({ path }) => libOf(path)))].sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it('has no cycles among its allowed edges', () => {
    const placed = new Set<string>();
    for (let before = -1; before !== placed.size;) {
      before = placed.size;
      for (const [lib, below] of Object.entries(ALLOWED)) if (below.every((each) => placed.has(each))) placed.add(lib);
    }
    expect([...placed].sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it('has no other edges', () => {
    const others = libFiles.flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith('#'))
        .map((name) => name.slice(name.indexOf('/') + 1))
        .filter((name) => name !== libOf(path) && !ALLOWED[libOf(path)]?.includes(name))
        .map((name) => `${path} imports #${name}`),
    );
    expect(others).toEqual([]);
  });

  it('is entered through the doors alone', () => {
    const burglars = [...libFiles, ...sources('apps')].flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith('.'))
        .map((name) => relative(ROOT, join(ROOT, path, '..', name)))
        .filter((target) => target.startsWith('libs/') && libOf(target) !== libOf(path))
        .map((target) => `${path} reaches into ${target}`),
    );
    expect(burglars).toEqual([]);
  });

  it('keeps TypeORM in persistence files', () => {
    const leaks = [...libFiles, ...sources('apps')]
      .filter(
        ({ path, imports }) =>
          !PERSISTENCE.test(path) && imports.some((name) => name === 'typeorm' || name === '@nestjs/typeorm'),
      )
      .map(({ path }) => path);
    expect(leaks).toEqual([]);
  });

  it('has no forwardRef', () => {
    const knots = libFiles
      .filter(({ path }) => readFileSync(join(ROOT, path), 'utf8').includes('forwardRef('))
      .map(({ path }) => path);
    expect(knots).toEqual([]);
  });
});
