import { EVENT_TYPES, type EventType } from '#platform/events';
import { generatedDocument, type Operation, operationsOf, type Schema } from '../support/operations.js';
import { type BodyFixtures, exampleBody, smallestBody } from './request-bodies.js';

const document = await generatedDocument();

/** A collection of an organization: the operations at `/v1/organizations/{org}/<collection>` and at `…/{id}`. */
export interface Collection {
  /** The name of the collection in the path, for example `sample-things`. */
  readonly collection: string;
  /** The name of the resource in event types, for example `sample_thing`. */
  readonly name: string;
  readonly list: Operation;
  readonly create: Operation;
  readonly get: Operation;
  readonly update?: Operation;
  readonly delete: Operation;
  /** The operations on one resource, such as `POST …/{id}/verify`. */
  readonly ofOne: readonly Operation[];
}

/** A collection with the five CRUD operations, whose requests the contract tests derive from the OpenAPI document. */
export type CrudResource = Collection & { readonly update: Operation };

export const COLLECTIONS = collectionsOf(operationsOf(document));

/** Resources with more operations or rules than the five CRUD operations. The access matrix contains their requests. */
const LISTED_EXPLICITLY = new Set(['users', 'roles', 'webhooks', 'identity-providers']);

export const CRUD_RESOURCES = COLLECTIONS.filter(
  (each): each is CrudResource => each.update !== undefined && !LISTED_EXPLICITLY.has(each.collection),
);

function collectionsOf(operations: readonly Operation[]): Collection[] {
  return operations.flatMap((list): Collection[] => {
    const collection = /^\/v1\/organizations\/\{org\}\/([a-z-]+)$/.exec(list.path)?.[1];
    if (list.method !== 'GET' || collection === undefined) return [];
    const ofOne = operations.filter(({ path }) => path.startsWith(`${list.path}/{`));
    const of = (method: string) => ofOne.find((each) => each.method === method && /\/\{\w+\}$/.test(each.path));
    const create = operations.find(({ method, path }) => method === 'POST' && path === list.path);
    const [get, update, remove] = [of('GET'), of('PATCH'), of('DELETE')];
    if (!create || !get || !remove) return [];
    const name = create.id
      .replace(/^create/, '')
      .replaceAll(/(?<!^)[A-Z]/g, '_$&')
      .toLowerCase();
    return [{ collection, name, list, create, get, ...(update ? { update } : {}), delete: remove, ofOne }];
  });
}

const bodySchema = ({ id, body }: Operation): Schema => {
  if (!body) throw new Error(`${id} has no JSON body.`);
  return body.schema;
};

export const creationBody = ({ create }: CrudResource, fixtures: BodyFixtures): object =>
  smallestBody(document, bodySchema(create), fixtures);

/** Returns an update of every field with an example in the OpenAPI document. */
export const changeBody = ({ update }: CrudResource, fixtures: BodyFixtures): object =>
  exampleBody(document, bodySchema(update), fixtures);

/** Returns the event types that the create, update and delete operations must publish, by operation ID. */
export function eventsOf({ name, create, update, delete: remove }: Collection): Record<string, EventType[]> {
  const type = (action: string) => EVENT_TYPES.filter((each) => each === `${name}.${action}`);
  return { [create.id]: type('created'), ...(update && { [update.id]: type('updated') }), [remove.id]: type('deleted') };
}
