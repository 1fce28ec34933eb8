import type { GuardedFetchService } from '../provider/guarded-fetch.service.js';
import { type ClientDescription, descriptionOf } from './client-description.js';

const ID_MAX_LENGTH = 500;
const BODY_MAX_BYTES = 16 * 1024;
const TIMEOUT_MS = 5_000;
/** Documents stay fresh as their headers say, but no longer. */
export const FRESH_MAX_SECONDS = 24 * 3_600;

/** Why a metadata document can't be used. The message is for the people who run the application. */
export class MetadataDocumentUnusable extends Error {}

interface FetchedDocument {
  readonly description: ClientDescription;
  readonly freshSeconds: number;
}

/**
 * Fetches a Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document). Clients choose the address, so `fetch` checks each
 * connection with the network policy. @throws MetadataDocumentUnusable, InvalidClientMetadata
 */
export async function fetchMetadataDocument(fetch: GuardedFetchService['fetch'], clientId: string): Promise<FetchedDocument> {
  const response = await fetch(clientId, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new MetadataDocumentUnusable(
      'the client metadata document could not be fetched: the address does not respond, redirects, or is not public',
    );
  });
  if (response.status !== 200)
    throw new MetadataDocumentUnusable(`the client metadata document could not be fetched: status ${response.status}`);
  const metadata = parsed(await readText(response));
  if (metadata['client_id'] !== clientId)
    throw new MetadataDocumentUnusable('the client_id in the client metadata document is not the address of the document');
  if ('client_secret' in metadata || String(metadata['token_endpoint_auth_method']).startsWith('client_secret'))
    throw new MetadataDocumentUnusable('a client with a metadata document can have no client secret');
  return { description: descriptionOf(metadata, { canHaveKeys: true }), freshSeconds: freshSecondsOf(response.headers) };
}

/** Returns whether a text can be the address of a metadata document, exactly as written. */
export function isMetadataAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > ID_MAX_LENGTH || !/^[\x21-\x7e]+$/.test(clientId)) return false;
  if (!URL.canParse(clientId)) return false;
  const { href, pathname, hash, username, password } = new URL(clientId);
  return href === clientId && pathname !== '/' && hash === '' && !clientId.includes('#') && username === '' && password === '';
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > BODY_MAX_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    throw new MetadataDocumentUnusable('the client metadata document could not be read completely in time');
  }
  if (size > BODY_MAX_BYTES)
    throw new MetadataDocumentUnusable(`the client metadata document is larger than ${BODY_MAX_BYTES / 1024} kB`);
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new MetadataDocumentUnusable('the client metadata document is not a JSON object');
}

/** A document without a lifetime is read for each authorization request. */
function freshSecondsOf(headers: Headers): number {
  const control = headers.get('cache-control') ?? '';
  if (/\bno-(?:store|cache)\b/i.test(control)) return 0;
  const seconds = Number(/\bmax-age=(\d{1,9})\b/i.exec(control)?.[1] ?? 0);
  return Math.min(seconds, FRESH_MAX_SECONDS);
}
