import { EVENT_TYPES, type EventType } from '#platform/events';
import { generatedDocument, type Operation, operationsOf, type Schema } from '../support/operations.js';
import type { MatrixRow } from './access-matrix/row.js';
import type { RequestOrganizations, Setup } from './access-matrix/setup.js';
import { type BodyFixtures, exampleBody, smallestBody } from './request-bodies.js';

const document = await generatedDocument();

/**
 * A resource of an organization with the five CRUD operations: list and create at `/v1/organizations/{org}/<collection>`, get, update and delete
 * at `…/{id}`. The contract tests derive their requests from the OpenAPI document.
 */
export interface CrudResource {
  /** The name of the collection in the path, for example `sample-things`. */
  readonly collection: string;
  /** The name of the resource in event types, for example `sample_thing`. */
  readonly name: string;
  readonly list: Operation;
  readonly create: Operation;
  readonly get: Operation;
  readonly update: Operation;
  readonly delete: Operation;
}

/** Resources with more operations or rules than the five CRUD operations. The access matrix contains their requests. */
const LISTED_EXPLICITLY = new Set(['users', 'roles', 'webhooks', 'identity-providers']);

/** The resources whose requests the contract tests derive from the OpenAPI document. */
export const CRUD_RESOURCES = crudResources(operationsOf(document));

function crudResources(operations: readonly Operation[]): CrudResource[] {
  const at = (method: string, path: string) => operations.find((each) => each.method === method && each.path === path);
  return operations.flatMap((create): CrudResource[] => {
    const collection = /^\/v1\/organizations\/\{org\}\/([a-z-]+)$/.exec(create.path)?.[1];
    if (create.method !== 'POST' || collection === undefined || LISTED_EXPLICITLY.has(collection)) return [];
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

export const creationBody = ({ create }: CrudResource, fixtures: BodyFixtures): object =>
  smallestBody(document, bodySchema(create), fixtures);

/** Returns an update of every field with an example in the OpenAPI document. */
export const changeBody = ({ update }: CrudResource, fixtures: BodyFixtures): object =>
  exampleBody(document, bodySchema(update), fixtures);

export function matrixRowsOf(resource: CrudResource): Record<string, MatrixRow[]> {
  const fixturesAt = (setup: Setup, { own }: RequestOrganizations): BodyFixtures => ({
    organization: own,
    user: setup.fixtures.user,
  });
  const path = ({ own }: RequestOrganizations): string => `/v1/organizations/${own}/${resource.collection}`;
  const newItem = async (setup: Setup, orgs: RequestOrganizations): Promise<string> => {
    const body = creationBody(resource, fixturesAt(setup, orgs));
    return `${path(orgs)}/${(await setup.app.api.platform.post(path(orgs), body).expect(201)).body.data.id}`;
  };
  return {
    [resource.list.id]: [{ request: (_setup, orgs) => ({ path: path(orgs) }) }],
    [resource.create.id]: [
      {
        request: (setup, orgs) => ({
          path: path(orgs),
          body: creationBody(resource, fixturesAt(setup, orgs)),
        }),
      },
    ],
    [resource.get.id]: [{ request: async (setup, orgs) => ({ path: await newItem(setup, orgs) }) }],
    [resource.update.id]: [
      {
        request: async (setup, orgs) => ({
          path: await newItem(setup, orgs),
          body: changeBody(resource, fixturesAt(setup, orgs)),
        }),
      },
    ],
    [resource.delete.id]: [{ request: async (setup, orgs) => ({ path: await newItem(setup, orgs) }) }],
  };
}

/** Returns the event types that the create, update and delete operations must publish, by operation ID. */
export function eventsOf({ name, create, update, delete: remove }: CrudResource): Record<string, EventType[]> {
  const type = (action: string) => EVENT_TYPES.filter((each) => each === `${name}.${action}`);
  return { [create.id]: type('created'), [update.id]: type('updated'), [remove.id]: type('deleted') };
}
