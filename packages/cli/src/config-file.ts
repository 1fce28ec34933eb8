import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from './failures.js';

/** What `login` keeps between runs. */
export interface Config {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Where commands work when they name no organization. */
  readonly organization?: string;
  /** What `listen` signs with, by service and organization: the same at each start, so that receivers keep theirs. */
  readonly listenSecrets?: Readonly<Record<string, string>>;
}

/** Where the configuration lies: it holds a key, so nobody else may read it. */
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

/** Replaces the file in one step, so that it is never half written and never readable by others. */
export function writeConfig(config: Config): void {
  const path = configPath();
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  // The mode above only counts for a file that is new.
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

export const removeConfig = (): void => rmSync(configPath(), { force: true });
