import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../scripts/build-if-stale.mjs';
import { createEmptyDatabase } from '../stores.mjs';
import { get, post, startServer } from './server.mjs';

export const BETTER_AUTH_DATABASE = 'bench_better_auth';
export const VERSION = '1.7.25';
const FOLDER = join(projectDir, '.cache', `better-auth-${VERSION}`);
const ORGANIZATIONS = 5;

/** Starts better-auth, which is installed with npm, with `size` users and `accounts` users with a password and a session. */
export async function startBetterAuth(url, { size, accounts, password }, log) {
  log(`Starting better-auth ${VERSION}`);
  install();
  const { message, ...server } = await startServer(join(FOLDER, 'server.mjs'), {
    DATABASE_URL: await createEmptyDatabase(url, BETTER_AUTH_DATABASE),
    USERS: String(size),
    ACCOUNTS: String(accounts),
    ORGANIZATIONS: String(ORGANIZATIONS),
    PASSWORD: password,
  });
  const { tokens, userIds, organizationIds } = message;
  const at = (list, next) => list[next % list.length];
  const session = (next) => get('/api/auth/get-session', { authorization: `Bearer ${at(tokens, next)}` });
  return {
    ...server,
    name: 'better-auth',
    headers: { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' },
    requests: {
      'get user': (next) => get(`/api/auth/admin/get-user?id=${at(userIds, next)}`),
      'list users (20)': () => get('/api/auth/admin/list-users?limit=20'),
      'create user': (next) => post('/api/auth/admin/create-user', { email: `new.user${next}@example.com`, name: 'New User' }),
      'verify session': session,
      'session request': session,
      'sign in': (next) => post('/api/auth/sign-in/email', { email: `account${next % accounts}@example.com`, password }),
      'add member': (next) =>
        post('/members', {
          userId: at(userIds, next),
          organizationId: at(organizationIds, Math.floor(next / userIds.length)),
        }),
    },
  };
}

function install() {
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(join(FOLDER, 'node_modules/better-auth'))) {
    writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `better-auth@${VERSION}`, 'pg'], { cwd: FOLDER, stdio: 'ignore' });
  }
  copyFileSync(join(import.meta.dirname, 'better-auth-server.mjs'), join(FOLDER, 'server.mjs'));
}
