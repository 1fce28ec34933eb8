import { isDeepStrictEqual } from 'node:util';
import { findLineError } from '#platform/http';
import { SUPPORTED_EVENTS } from '../events/event-uris.js';
import type { DeliveryMethod, SsfStream } from '../streams/ssf-stream.entity.js';
import { membersOf, optionalObject, optionalText, optionalTexts, reject, requiredText } from './request-body.js';

export const METHOD_URNS: Readonly<Record<DeliveryMethod, string>> = { push: 'urn:ietf:rfc:8935', poll: 'urn:ietf:rfc:8936' };

/** Seconds between two verifications of a stream. */
export const MIN_VERIFICATION_INTERVAL_SECONDS = 10;

const REQUESTED_MAX = 50;
const URI_MAX_LENGTH = 500;
const URL_MAX_LENGTH = 2_048;
const AUTHORIZATION_MAX_LENGTH = 4_096;
const DESCRIPTION_MAX_LENGTH = 500;
/** The characters of a header value (RFC 9110), without tabs. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** How a receiver wants its events. `authorization` is null to remove the header, and absent to keep it for the same address. */
export type RequestedDelivery =
  | { readonly method: 'push'; readonly endpointUrl: string; readonly authorization?: string | null }
  | { readonly method: 'poll' };

/** The part of the configuration that a receiver sets. */
export interface StreamInput {
  readonly delivery?: RequestedDelivery;
  readonly eventsRequested?: readonly string[];
  readonly description?: string | null;
}

type Members = Readonly<Record<string, unknown>>;

/** The configuration of a stream, as the framework names its members. */
export interface StreamConfiguration {
  readonly stream_id: string;
  readonly iss: string;
  readonly aud: string;
  readonly delivery: { readonly method: string; readonly endpoint_url: string };
  readonly events_supported: readonly string[];
  readonly events_requested: readonly string[];
  readonly events_delivered: readonly string[];
  readonly min_verification_interval: number;
  readonly description?: string;
}

/** Returns the audience of a stream: the OAuth client, or the organization whose API keys read the stream. */
export const audienceOf = ({ clientId, organizationId }: Pick<SsfStream, 'clientId' | 'organizationId'>): string =>
  clientId ?? organizationId;

/** Returns the events that a stream contains. */
export const deliveredEvents = ({ eventsRequested }: Pick<SsfStream, 'eventsRequested'>): string[] =>
  SUPPORTED_EVENTS.filter((uri) => eventsRequested.includes(uri));

export function configurationOf(stream: SsfStream, issuer: string): StreamConfiguration {
  const { id, deliveryMethod, endpointUrl, eventsRequested, description } = stream;
  return {
    stream_id: id,
    iss: issuer,
    aud: audienceOf(stream),
    delivery: { method: METHOD_URNS[deliveryMethod], endpoint_url: endpointUrl ?? `${issuer}/ssf/streams/${id}/poll` },
    events_supported: SUPPORTED_EVENTS,
    events_requested: eventsRequested,
    events_delivered: deliveredEvents(stream),
    min_verification_interval: MIN_VERIFICATION_INTERVAL_SECONDS,
    ...(description === null ? {} : { description }),
  };
}

/** Reads the members that a receiver sets. @throws InvalidRequest (400) */
export function readStreamInput(body: unknown): StreamInput {
  const members = membersOf(body);
  const delivery = optionalObject(members, 'delivery');
  const eventsRequested = optionalTexts(members, 'events_requested', REQUESTED_MAX, URI_MAX_LENGTH);
  const description = optionalText(members, 'description', DESCRIPTION_MAX_LENGTH);
  const problem = description && findLineError(description, { maxLength: DESCRIPTION_MAX_LENGTH, multiline: true });
  if (problem) reject('description', problem.code, problem.message);
  return {
    ...(delivery ? { delivery: readDelivery(delivery) } : {}),
    ...(eventsRequested ? { eventsRequested } : {}),
    ...('description' in members ? { description: description === undefined || description === '' ? null : description } : {}),
  };
}

/** Reads what a replacement sets: members that are absent get their defaults. @throws InvalidRequest (400) */
export function readReplacement(body: unknown): Required<StreamInput> {
  const { delivery = { method: 'poll' }, eventsRequested = [], description = null } = readStreamInput(body);
  return { delivery, eventsRequested, description };
}

/** Returns the id of the stream that a body names. @throws InvalidRequest (400) */
export const readStreamId = (body: unknown): string => requiredText(membersOf(body), 'stream_id', 100);

/** Asserts that members of a body which the service sets have their current values. @throws InvalidRequest (400) */
export function assertSupplied(body: unknown, current: StreamConfiguration): void {
  const members = membersOf(body);
  for (const name of ['iss', 'aud', 'events_supported', 'events_delivered', 'min_verification_interval'] as const)
    if (name in members && !isSame(members[name], current[name]))
      reject(name, 'invalid_choice', 'is set by the service and must have its current value, or be absent.');
  const delivery = optionalObject(members, 'delivery');
  if (delivery?.['method'] !== METHOD_URNS.poll || delivery['endpoint_url'] === undefined) return;
  if (current.delivery.method === METHOD_URNS.poll && delivery['endpoint_url'] !== current.delivery.endpoint_url)
    reject('delivery/endpoint_url', 'invalid_choice', 'of a stream that is polled is set by the service.');
}

/** Lists of URIs have no order, and a single audience can be a list. */
function isSame(given: unknown, current: unknown): boolean {
  if (Array.isArray(current)) return Array.isArray(given) && isDeepStrictEqual(new Set(given), new Set(current as unknown[]));
  return isDeepStrictEqual(Array.isArray(given) && given.length === 1 ? given[0] : given, current);
}

function readDelivery(delivery: Members): RequestedDelivery {
  const method = requiredText(delivery, 'method', 100, 'delivery/method');
  if (method === METHOD_URNS.poll) return { method: 'poll' };
  if (method !== METHOD_URNS.push)
    reject('delivery/method', 'invalid_choice', `must be one of ${Object.values(METHOD_URNS).join(', ')}.`);
  const endpointUrl = requiredText(delivery, 'endpoint_url', URL_MAX_LENGTH, 'delivery/endpoint_url');
  if (endpointUrl.includes('#')) reject('delivery/endpoint_url', 'invalid_url', 'must have no fragment.');
  const authorization = optionalText(delivery, 'authorization_header', AUTHORIZATION_MAX_LENGTH, 'delivery/authorization_header');
  if (authorization !== undefined && !HEADER_VALUE.test(authorization))
    reject('delivery/authorization_header', 'invalid_format', 'must contain only printable ASCII characters.');
  if (!('authorization_header' in delivery)) return { method: 'push', endpointUrl };
  return { method: 'push', endpointUrl, authorization: authorization?.trim() ? authorization.trim() : null };
}
