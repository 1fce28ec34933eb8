import { EVENT_TYPES, type EventType } from '#platform/events';
import { generatedDocument, type Operation, operationsOf, type Schema } from '../support/operations.js';
import type { MatrixRow } from './access-matrix/row.js';
import type { RequestOrganizations, World } from './access-matrix/world.js';
import { type BodyFixtures, exampleBody, smallestBody } from './request-bodies.js';

const document = await generatedDocument();

/**
 * A resource that an organization has any number of, with the five usual operations: list and create at `/v1/organizations/{org}/<collection>`,
 * get, update and delete at `…/{id}`. The OpenAPI document says all that the contract tests need to know about it.
 */
export interface CrudResource {
  /** Such as `sample-things`. */
  readonly collection: string;
  /** Such as `sample_thing`. */
  readonly name: string;
  readonly list: Operation;
  readonly create: Operation;
  readonly get: Operation;
  readonly update: Operation;
  readonly delete: Operation;
}

/** Resources that have more rules or operations than the usual ones. The contract tests describe them one by one. */
const DESCRIBED = new Set(['users', 'roles', 'webhooks', 'identity-providers']);

/** The resources that follow the convention and are described nowhere else. */
export const CRUD_RESOURCES = crudResources(operationsOf(document));

function crudResources(operations: readonly Operation[]): CrudResource[] {
  const at = (method: string, path: string) => operations.find((each) => each.method === method && each.path === path);
  return operations.flatMap((create): CrudResource[] => {
    const collection = /^\/v1\/organizations\/\{org\}\/([a-z-]+)$/.exec(create.path)?.[1];
    if (create.method !== 'POST' || collection === undefined || DESCRIBED.has(collection)) return [];
    const [list, get] = [at('GET', create.path), at('GET', `${create.path}/{id}`)];
    const [update, remove] = [at('PATCH', `${create.path}/{id}`), at('DELETE', `${create.path}/{id}`)];
    if (!list || !get || !update || !remove) return [];
    const name = create.id
      .replace(/^create/, '')
      .replaceAll(/(?<!^)[A-Z]/g, '_$&')
      .toLowerCase();
    return [{ collection, name, list, create, get, update, delete: remove }];
  });
}

const bodySchema = ({ id, body }: Operation): Schema => {
  if (!body) throw new Error(`${id} has no JSON body.`);
  return body.schema;
};

/** Returns a valid body to create the resource with. */
export const creationBody = ({ create }: CrudResource, fixtures: BodyFixtures): object =>
  smallestBody(document, bodySchema(create), fixtures);

/** Returns a body that changes every field that has an example. */
export const changeBody = ({ update }: CrudResource, fixtures: BodyFixtures): object =>
  exampleBody(document, bodySchema(update), fixtures);

/** Returns the rows of the access matrix for the operations of a resource. */
export function matrixRowsOf(resource: CrudResource): Record<string, MatrixRow[]> {
  const fixturesAt = (world: World, { own }: RequestOrganizations): BodyFixtures => ({
    organization: own,
    user: world.fixtures.user,
  });
  const path = ({ own }: RequestOrganizations): string => `/v1/organizations/${own}/${resource.collection}`;
  const newItem = async (world: World, place: RequestOrganizations): Promise<string> => {
    const body = creationBody(resource, fixturesAt(world, place));
    return `${path(place)}/${(await world.app.api.platform.post(path(place), body).expect(201)).body.data.id}`;
  };
  return {
    [resource.list.id]: [{ request: (_world, place) => ({ path: path(place) }) }],
    [resource.create.id]: [
      {
        request: (world, place) => ({
          path: path(place),
          body: creationBody(resource, fixturesAt(world, place)),
        }),
      },
    ],
    [resource.get.id]: [{ request: async (world, place) => ({ path: await newItem(world, place) }) }],
    [resource.update.id]: [
      {
        request: async (world, place) => ({
          path: await newItem(world, place),
          body: changeBody(resource, fixturesAt(world, place)),
        }),
      },
    ],
    [resource.delete.id]: [{ request: async (world, place) => ({ path: await newItem(world, place) }) }],
  };
}

/** Returns the event type that each operation of a resource must publish. */
export function eventsOf({ name, create, update, delete: remove }: CrudResource): Record<string, EventType[]> {
  const type = (action: string) => EVENT_TYPES.filter((each) => each === `${name}.${action}`);
  return { [create.id]: type('created'), [update.id]: type('updated'), [remove.id]: type('deleted') };
}
