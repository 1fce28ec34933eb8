import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from './failures.js';

/** The configuration that `login` stores. */
export interface Config {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The default organization of commands. */
  readonly organization?: string;
  /** The signing secrets of `listen` by service and organization. Secrets don't change, because receivers store them. */
  readonly listenSecrets?: Readonly<Record<string, string>>;
}

/** Returns the path of the configuration file. The file contains an API key, so only its owner can read it. */
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
