import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError } from './failures.js';

/** The tokens of a signed-in user. Each refresh token works once. */
export interface StoredSignIn {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The configuration that `login` stores. */
export interface Config {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The sign-in of a user, instead of an API key. */
  readonly signIn?: StoredSignIn;
  /** The default organization of commands. */
  readonly organization?: string;
  /** The signing secrets of `listen` by service and organization. Secrets don't change, because receivers store them. */
  readonly listenSecrets?: Readonly<Record<string, string>>;
}

/** Returns the path of the configuration file. The file contains an API key or tokens, so only its owner can read it. */
export const configPath = (): string =>
  join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'identity-service', 'config.json');

export function readConfig(): Config {
  const path = configPath();
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CommandError(`${path} can't be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text) as Config;
  } catch {
    throw new CommandError(`${path} is not valid JSON. Fix it, or delete it and run "identity-service login" again.`);
  }
}

/** Replaces the file atomically, so that other programs never read a partial file. Other users can't read the file. */
export function writeConfig(config: Config): void {
  const path = configPath();
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  // The mode above applies only to a new file.
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

export const removeConfig = (): void => rmSync(configPath(), { force: true });

const LOCK_RETRY_MS = 50;
/** A program that ended without removing its lock has lost it. */
const LOCK_LOST_MS = 30_000;

/** Runs while no other instance of the program does, because each refresh token works once. */
export async function withLockedConfig<T>(run: () => Promise<T>): Promise<T> {
  const path = `${configPath()}.lock`;
  while (!isLocked(path)) await wait(LOCK_RETRY_MS);
  try {
    return await run();
  } finally {
    rmSync(path, { force: true });
  }
}

function isLocked(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const lockedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - lockedAt > LOCK_LOST_MS) rmSync(path, { force: true });
    return false;
  }
}
