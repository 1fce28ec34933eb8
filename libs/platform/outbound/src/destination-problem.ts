import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseUrlAsWritten, webUri } from '#platform/common';
import { createHostLookup, type HostLookup, plainHostname } from './host-lookup.js';
import { type NetworkPolicy } from './network-policy.js';

export const URL_MAX_LENGTH = 2048;

const LOOKUP_TIMEOUT_MS = 3_000;

/** Why a webhook's URL is rejected, and how to fix the URL. */
export interface DestinationProblem {
  code: 'url_invalid' | 'url_scheme' | 'url_credentials' | 'url_port' | 'url_address';
  message: string;
}

export interface DestinationProblemOptions {
  /** Resolves host names. Default: DNS, then the operating system. */
  lookup?: HostLookup;
  /** Timeout of the lookup, in milliseconds. After the timeout, the name counts as a name that can't be resolved yet. */
  lookupTimeoutMs?: number;
}

const INVALID: DestinationProblem = {
  code: 'url_invalid',
  message: `The URL is not valid. Use an absolute URL of at most ${URL_MAX_LENGTH} characters, such as https://example.com/hooks.`,
};
const HTTPS_REQUIRED: DestinationProblem = { code: 'url_scheme', message: 'Deliveries require https. Use an https URL.' };
const CREDENTIALS: DestinationProblem = {
  code: 'url_credentials',
  message: "The URL must not contain a user name or password. Send credentials in one of the webhook's headers.",
};
const PORT: DestinationProblem = { code: 'url_port', message: 'Port 0 is not allowed. Use another port, or none.' };
const ADDRESS: DestinationProblem = {
  code: 'url_address',
  message:
    'The URL has an address that deliveries are not allowed to connect to: private, loopback, link-local, reserved or similar. ' +
    'Use a public address, or ask the operator to allow its network in WEBHOOK_ALLOWED_NETWORKS.',
};

let defaultLookup: HostLookup | undefined;

/**
 * Checks a new URL of a webhook. Returns undefined if deliveries can use the URL. Accepts an https host name that can't be resolved
 * yet, because each delivery checks the resolved address.
 */
export async function destinationProblem(
  url: string,
  policy: NetworkPolicy,
  options: DestinationProblemOptions = {},
): Promise<DestinationProblem | undefined> {
  const parsed = url.length > URL_MAX_LENGTH ? undefined : parseUrlAsWritten(url);
  if (!parsed) return INVALID;
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return HTTPS_REQUIRED;
  if (parsed.username !== '' || parsed.password !== '') return CREDENTIALS;
  if (parsed.port === '0') return PORT;
  if (webUri(url) === undefined) return INVALID;

  const hostname = plainHostname(parsed.hostname);
  if (hostname.split('.').includes('')) return INVALID;
  const addresses = isIP(hostname) === 0 ? await resolve(hostname, options) : [hostname];

  if (addresses.some((address) => policy.checkAddress(address) !== 'allowed')) return ADDRESS;
  if (parsed.protocol === 'https:') return undefined;
  const isHttpAllowed = addresses.length > 0 && addresses.every((address) => policy.isInAllowedNetwork(address));
  return isHttpAllowed ? undefined : HTTPS_REQUIRED;
}

async function resolve(hostname: string, options: DestinationProblemOptions): Promise<string[]> {
  const lookup = options.lookup ?? (defaultLookup ??= createHostLookup());
  const ended = new AbortController();
  const timeout = delay(options.lookupTimeoutMs ?? LOOKUP_TIMEOUT_MS, [], { signal: ended.signal });
  try {
    const answers = await Promise.race([lookup(hostname), timeout]);
    return answers.map(({ address }) => address);
  } catch {
    return [];
  } finally {
    ended.abort();
    timeout.catch(() => undefined);
  }
}
