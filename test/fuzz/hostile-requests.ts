import { Agent, request as sendRequest, type OutgoingHttpHeaders } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import fc from 'fast-check';
import { fixtureId, type Fixtures } from '../contract/fixtures.js';
import { exampleBody } from '../contract/request-bodies.js';
import { type Document, type Operation, pathOf } from '../support/operations.js';
import { HEADER_ENDS, HOSTILE_JSON, HOSTILE_TEXTS, hostileHeader, type HostileText, PARSED_HEADERS } from './hostile-values.js';

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer;
  readonly isOwnAccount: boolean;
  /** What is hostile, for messages. */
  readonly name: string;
}

/** An operation with valid values for its parameters and body. */
export interface HostileTarget {
  readonly operation: Pick<Operation, 'id' | 'method' | 'path' | 'parameters' | 'isOwnAccount'>;
  readonly valueOf: (parameter: string) => string;
  readonly contentType: string;
  readonly body?: unknown;
}

/** Random numbers that select the parts of a request. */
interface Choice {
  readonly target: number;
  readonly place: number;
  readonly kind: number;
  readonly value: number;
  readonly at: number;
  /** Counts the requests, so that no header value is sent twice before all others. */
  readonly turn: number;
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

/** Returns the same requests for the same seed. The requests are created one by one, because their bodies are large. */
export function* hostileRequests(targets: readonly HostileTarget[], count: number, seed: number): Generator<HostileRequest> {
  const index = fc.nat(1_000_000);
  const choices = fc.record({ target: index, place: index, kind: index, value: index, at: index });
  let turn = seed;
  for (const choice of fc.sample(choices, { seed, numRuns: count }))
    yield hostileRequest(pick(targets, choice.target), { ...choice, turn: turn++ });
}

function hostileRequest(target: HostileTarget, choice: Choice): HostileRequest {
  const places = [
    inHeader,
    ...(target.operation.parameters.some((each) => each.in === 'query') ? [inQuery] : [inPath]),
    ...(target.body === undefined ? [] : [inBody, inBody]),
  ];
  return pick(places, choice.place)(target, choice);
}

const HEADERS = Object.entries(PARSED_HEADERS).flatMap(([header, starts]) =>
  starts.flatMap((start) => HEADER_ENDS.map((end) => ({ header, start, end }))),
);
/** A prime number, which makes one header follow another. */
const HEADER_STEP = 1_009;

function inHeader(target: HostileTarget, { turn }: Choice): HostileRequest {
  const { header, start, end } = pick(HEADERS, turn * HEADER_STEP);
  const text = hostileHeader(start, end);
  const valid = plain(target);
  return { ...valid, headers: { ...valid.headers, [header]: text }, name: `${header}: ${shown(text)}` };
}

function inQuery(target: HostileTarget, choice: Choice): HostileRequest {
  const names = target.operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const name = pick(names, choice.at);
  const [kind, text] = hostileText(choice);
  const valid = plain(target);
  const value = name === 'filter' ? Buffer.concat([Buffer.from(pick(FILTERS, choice.value)), bytesOf(text)]) : text;
  return { ...valid, path: `${valid.path}?${name}=${percentEncoded(value)}`, name: `?${name}, ${kind}: ${shown(text)}` };
}

/** Beginnings of SCIM filters. */
const FILTERS = ['', 'userName eq "', 'userName eq ', 'emails[type eq "', 'not (', 'displayName co "a" and '];

function inPath(target: HostileTarget, choice: Choice): HostileRequest {
  const [kind, text] = hostileText(choice);
  const names = [...target.operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const hostile = names.length === 0 ? undefined : pick(names, choice.at);
  const valueOf = (name: string): string => (name === hostile ? percentEncoded(text) : target.valueOf(name));
  return { ...plain({ ...target, valueOf }), name: `path, ${kind}: ${shown(text)}` };
}

function inBody(target: HostileTarget, choice: Choice): HostileRequest {
  const isJson = target.contentType !== 'text/csv';
  const [kind, text] = hostileText(choice);
  const useJson = isJson && choice.kind % 3 === 0;
  const json = pick(HOSTILE_JSON, choice.value);
  const hostile = useJson ? Buffer.from(json) : isJson ? jsonOf(text) : bytesOf(text);
  const body = isJson ? withHole(target.body, choice.at) : String(target.body);
  const [before, after] = body.split(HOLE) as [string, string];
  return {
    ...plain(target),
    body: Buffer.concat([Buffer.from(before), hostile, Buffer.from(after)]),
    name: `body, ${useJson ? `JSON: ${shown(json)}` : `${kind}: ${shown(text)}`}`,
  };
}

function plain({ operation, valueOf, contentType, body }: HostileTarget): HostileRequest {
  return {
    method: operation.method,
    path: pathOf(operation as Operation, valueOf),
    headers: body === undefined ? {} : { 'content-type': contentType },
    ...(body === undefined
      ? {}
      : { body: Buffer.from(typeof body === 'string' ? body.replace(HOLE, 'a') : JSON.stringify(body)) }),
    isOwnAccount: operation.isOwnAccount,
    name: operation.id,
  };
}

function hostileText({ kind, value }: Choice): [kind: string, text: HostileText] {
  const [name, texts] = pick(Object.entries(HOSTILE_TEXTS), kind);
  return [name, pick(texts, value)];
}

export const HOLE = '@hole@';

/** Returns the body as JSON with a hole in place of one value. */
function withHole(body: unknown, at: number): string {
  let values = 0;
  JSON.stringify(body, (_, value: unknown) => (values++, value));
  let index = 0;
  const hole = at % values;
  return JSON.stringify(body, (_, value: unknown) => (index++ === hole ? HOLE : value)).replace(`"${HOLE}"`, HOLE);
}

const bytesOf = (text: HostileText): Buffer => (typeof text === 'string' ? Buffer.from(text) : text);
const jsonOf = (text: HostileText): Buffer =>
  typeof text === 'string' ? Buffer.from(JSON.stringify(text)) : Buffer.concat([Buffer.from('"'), text, Buffer.from('"')]);

/** Node.js accepts 16 KB of header fields and path. */
const percentEncoded = (text: HostileText): string => bytesOf(text).subarray(0, 4_000).toString('hex').replaceAll(/../g, '%$&');

const shown = (text: HostileText): string => JSON.stringify(String(text).slice(0, 40));

/** Returns a target for each operation, with the ids of the fixtures. */
export function targetsOf(document: Document, operations: readonly Operation[], fixtures: Fixtures): HostileTarget[] {
  return operations.map((operation) => ({
    operation,
    valueOf: (name) => fixtureId(operation, name, fixtures),
    contentType: operation.id === 'importUsers' ? 'text/csv' : 'application/json',
    body:
      operation.id === 'importUsers'
        ? `email,roles\nada@example.com,${HOLE}\n`
        : operation.body && exampleBody(document, operation.body.schema, fixtures),
  }));
}

/** Returns a target for a path that is not in the OpenAPI documents. */
export const pageTarget = (path: string): HostileTarget => ({
  operation: { id: path, method: 'GET', path, parameters: [], isOwnAccount: false },
  valueOf: () => '',
  contentType: '',
});

const agent = new Agent({ keepAlive: true });

/** Sends a request and returns the status, or 0 if the service closed the connection without a response. */
export function send(url: string, { method, path, headers, body }: HostileRequest, credential: string): Promise<number> {
  return new Promise((resolve) => {
    const address = { 'x-forwarded-for': `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}` };
    const all = { authorization: `Bearer ${credential}`, ...address, ...headers, ...(body && { 'content-length': body.length }) };
    const request = sendRequest(`${url}${path}`, { method, headers: all, agent }, (response) => {
      const status = response.statusCode ?? 0;
      if (/event-stream/.test(response.headers['content-type'] ?? '')) {
        request.destroy();
        resolve(status);
      } else
        textOf(response).then(
          () => resolve(status),
          () => resolve(status),
        );
    });
    request.on('error', () => resolve(0));
    request.end(body);
  });
}
