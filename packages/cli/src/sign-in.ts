import { setTimeout as wait } from 'node:timers/promises';
import { ConnectionError } from '@identity-service/client';
import { readConfig, type StoredSignIn, withLockedConfig, writeConfig } from './config-file.js';
import { CommandError, EXIT } from './failures.js';
import { note, visible } from './output.js';

/** The client that every installation has for this program. */
const CLIENT_ID = 'app_command_line';
const SCOPES = 'openid offline_access organizations:* users:* members:* roles:read api_keys:* webhooks:* events:read';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const INTERVAL_SECONDS = 5;
/** Tokens that expire sooner are refreshed before they are used. */
const MARGIN_MS = 60_000;

interface DeviceResponse {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly interval?: number;
}

interface TokenResponse {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

interface Refusal {
  readonly error?: string;
  readonly error_description?: string;
}

/** Lets the user sign in with a code in any browser (RFC 8628). @throws CommandError if the user denies it or waits too long */
export async function signIn(baseUrl: string): Promise<StoredSignIn> {
  const discovery = await send<{ readonly issuer: string }>(`${baseUrl}/.well-known/openid-configuration`);
  if ('error' in discovery) throw refused(discovery);
  const fields = { client_id: CLIENT_ID, scope: SCOPES, resource: discovery.issuer };
  const device = await send<DeviceResponse>(`${baseUrl}/oauth/device`, fields);
  if ('error' in device) throw refused(device);
  note(`Open ${visible(device.verification_uri)} in a browser and enter the code ${visible(device.user_code)}`);
  note(`or open ${visible(device.verification_uri_complete)} and compare the code.`);
  return poll(baseUrl, device);
}

async function poll(baseUrl: string, { device_code, interval = INTERVAL_SECONDS }: DeviceResponse): Promise<StoredSignIn> {
  for (let seconds = interval; ;) {
    await wait(seconds * 1_000);
    const fields = { client_id: CLIENT_ID, grant_type: DEVICE_CODE, device_code };
    const response = await send<TokenResponse>(`${baseUrl}/oauth/token`, fields);
    if (!('error' in response)) return stored(response);
    if (response.error === 'slow_down') seconds += INTERVAL_SECONDS;
    else if (response.error !== 'authorization_pending') throw refused(response);
  }
}

/** Returns a valid access token, which is refreshed and stored if necessary. @throws CommandError if the sign-in ended */
export async function freshToken(baseUrl: string): Promise<string> {
  const current = readConfig().signIn;
  if (current && current.expiresAt - MARGIN_MS > Date.now()) return current.accessToken;
  return withLockedConfig(async () => {
    // Another instance of the program can have refreshed the tokens meanwhile.
    const { signIn: found, ...config } = readConfig();
    if (!found) throw ended();
    if (found.expiresAt - MARGIN_MS > Date.now()) return found.accessToken;
    const fields = { client_id: CLIENT_ID, grant_type: 'refresh_token', refresh_token: found.refreshToken };
    const response = await send<TokenResponse>(`${baseUrl}/oauth/token`, fields);
    if ('error' in response) throw response.error === 'temporarily_unavailable' ? refused(response) : ended();
    const refreshed = stored(response);
    writeConfig({ ...config, signIn: refreshed });
    return refreshed.accessToken;
  });
}

/** Ends the sign-in at the service, as far as the service can be reached. */
export async function revoke(baseUrl: string, { refreshToken }: StoredSignIn): Promise<void> {
  await send(`${baseUrl}/oauth/revoke`, { client_id: CLIENT_ID, token: refreshToken }).catch(() => undefined);
}

const stored = ({ access_token, refresh_token, expires_in }: TokenResponse): StoredSignIn => ({
  accessToken: access_token,
  refreshToken: refresh_token,
  expiresAt: Date.now() + expires_in * 1_000,
});

const ended = (): CommandError =>
  new CommandError('You are no longer signed in. Run "identity-service login".', EXIT.unauthenticated);

const refused = ({ error, error_description }: Refusal): CommandError =>
  new CommandError(`The service refused the sign-in: ${error_description ?? error} (${error}).`, EXIT.refused);

async function send<T>(url: string, fields?: Record<string, string>): Promise<T | (Refusal & { error: string })> {
  const response = await fetch(url, fields && { method: 'POST', body: new URLSearchParams(fields), redirect: 'error' }).catch(
    (error: unknown) => {
      throw new ConnectionError(`${url} can't be reached.`, { cause: error });
    },
  );
  const text = await response.text();
  return (text === '' ? {} : JSON.parse(text)) as T | (Refusal & { error: string });
}
