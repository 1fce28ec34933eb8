import { SERVICE_PERMISSIONS } from '#platform/common';
import fc from 'fast-check';
import { describeScim } from '../../../apps/server/src/openapi/openapi.js';
import {
  type Document,
  generatedDocument,
  type Operation,
  operationsOf,
  plainSchema,
  type Schema,
} from '../../support/operations.js';
import { Random } from '../../faults/random.js';
import { APPLICATION_PERMISSIONS, OTHER_NETWORK, OWN_DOMAIN, PASSWORD, SERVICE_RESOURCES } from './drawn-graph.js';

const number = fc.noShrink(fc.nat());
/** Numbers that select an operation, its caller, its resource and the fields of its body. */
export const drawnRequest = fc.record({ operation: number, caller: number, resource: number, seed: number });
export type DrawnRequest = typeof drawnRequest extends fc.Arbitrary<infer T> ? T : never;

export interface PowerOperation extends Operation {
  readonly document: Document;
  /** The kinds of callers, as in the security requirements: `apiKey`, `sessionToken`, `scimToken`. Empty if anybody can call it. */
  readonly callers: readonly string[];
  readonly contentType: string;
  /** Whether the operation can need a recent sign-in, which applications and impersonators don't have. */
  readonly needsProof: boolean;
  /** The path up to the last parameter, without the names of the parameters. */
  readonly resource: string;
  readonly bodySchema?: Schema;
}

type RawBody = { description?: string; requestBody?: { content: Record<string, { schema: Schema }> } };

/** Returns the operations of a document that are not GET. */
function changesOf(document: Document): PowerOperation[] {
  const all = operationsOf(document).filter(({ method }) => method !== 'GET');
  return all.map((operation): PowerOperation => {
    const item = document.paths[operation.path] as Record<string, RawBody>;
    const { requestBody, description = '' } = item[operation.method.toLowerCase()]!;
    const [content] = Object.entries(requestBody?.content ?? {});
    const callers = operation.isPublic ? [] : (operation.security ?? []).flatMap((each) => Object.keys(each));
    // The lines of an import have the fields of the operation that creates one resource.
    const ofLine = all.find(({ method, path }) => method === 'POST' && path === operation.path.replace(/\/import$/, ''));
    const bodySchema = content?.[0] === 'application/x-ndjson' ? ofLine?.body?.schema : content?.[1].schema;
    return {
      ...operation,
      document,
      callers,
      contentType: content?.[0] ?? '',
      needsProof: description.includes('in the last 10 minutes'),
      resource: template(pathOfResource(operation)),
      ...(bodySchema && { bodySchema }),
    };
  });
}

/** Operations of organizations and SCIM are more frequent than operations of the own account. */
export async function drawableOperations(): Promise<PowerOperation[]> {
  const operations = [...changesOf(await generatedDocument()), ...changesOf((await describeScim()) as unknown as Document)];
  return operations.flatMap((each) => {
    if (each.callers.includes('apiKey')) return Array.from({ length: 8 }, () => each);
    return each.callers.includes('scimToken') ? Array.from({ length: 4 }, () => each) : [each];
  });
}

/** Returns random integers below a number from a seed. */
export function randomFrom(seed: number): (below: number) => number {
  const random = new Random(seed);
  return (below) => random.between(0, below - 1);
}

const pathOfResource = ({ path }: Operation): string => path.slice(0, path.lastIndexOf('}') + 1);
/** Replaces the ID of a resource that does not exist. */
export const UNKNOWN = 'unknown';
const template = (path: string): string => path.replaceAll(/\{\w+\}|(?<=\/)[a-z]+_[0-9a-z]{26}|(?<=\/roles\/)role_\w+/g, '{}');

/** The resources of a tenant: those of the graph and those that responses name. */
export class PowerModel {
  /** The paths of resources by the path with parameters. */
  private readonly paths = new Map<string, string[]>();
  private readonly ids = new Map<string, string[]>([
    ['roles', ['role_owner', 'role_admin', 'role_viewer', 'role_member']],
    ['mfa', ['totp', 'email']],
  ]);
  readonly texts: string[] = [];
  readonly emails: string[] = [];
  /** The user names of deleted users. */
  readonly userNames: string[] = [];
  private counter = 0;

  constructor(
    paths: readonly string[],
    readonly domain: string,
    readonly baseUrl: string,
  ) {
    for (const path of paths) this.add(path);
  }

  add(path: string): void {
    const key = template(path);
    const known = this.paths.get(key) ?? [];
    if (known.includes(path)) return;
    this.paths.set(key, [...known, path]);
    const [collection, id] = path.split('/').slice(-2) as [string, string];
    this.ids.set(collection, [...new Set([...(this.ids.get(collection) ?? []), id])]);
  }

  /** Returns the paths of existing resources that an operation can address. Without a known path, returns a path with known IDs. */
  pathsFor(operation: PowerOperation, random: (below: number) => number): string[] {
    const { path } = operation;
    const end = path.lastIndexOf('}') + 1;
    const known = this.paths.get(operation.resource);
    if (known) return known.map((each) => each + path.slice(end));
    const filled = this.randomPath(operation, random);
    return filled.includes(UNKNOWN) ? [] : [filled];
  }

  /** Returns a path with random IDs of the kinds of resources. */
  randomPath({ path }: PowerOperation, random: (below: number) => number): string {
    return path.replaceAll(/(\w[\w-]*)\/\{(\w+)\}/g, (_, collection: string, name: string) => {
      const ids = this.ids.get(name === 'connection' ? 'scim-connections' : collection) ?? this.ids.get(`${name}s`);
      return `${collection}/${ids ? ids[random(ids.length)] : UNKNOWN}`;
    });
  }

  unique(): string {
    return `x${++this.counter}`;
  }

  id(collection: string, random: (below: number) => number): string {
    const ids = this.ids.get(collection) ?? [];
    return ids[random(ids.length)] ?? 'none';
  }
}

/** Creates bodies from schemas. The names of the fields decide about references, the schemas about everything else. */
export class BodyWriter {
  constructor(
    private readonly model: PowerModel,
    private readonly operation: Pick<PowerOperation, 'document' | 'path' | 'method' | 'bodySchema'>,
    private readonly random: (below: number) => number,
  ) {}

  write(): Record<string, unknown> | undefined {
    return this.operation.bodySchema && this.body(this.operation.bodySchema, this.operation.method === 'PATCH');
  }

  private body(schema: Schema, isPatch: boolean): Record<string, unknown> {
    const { properties = {}, required = [] } = plainSchema(this.operation.document, schema);
    const names = Object.keys(properties).filter((name) => !isReadOnly(properties[name]!));
    const optional = names.filter((name) => !required.includes(name));
    // Fields with a meaning for the service are more frequent than descriptions.
    const weighted = optional.flatMap((name) => (this.decides(name, properties[name]!) ? [name, name, name, name] : [name]));
    const chosen = isPatch
      ? [this.pick(weighted, ''), ...(this.random(3) === 0 ? [this.pick(weighted, '')] : [])]
      : optional.filter((name) => ['parentId', 'redirectUris', 'emails'].includes(name) || this.random(5) === 0);
    const filled = [...required, ...chosen].filter((name) => name !== '');
    return Object.fromEntries(filled.map((name) => [name, this.value(name, properties[name]!)]));
  }

  private decides(name: string, schema: Schema): boolean {
    const { type, properties, items } = plainSchema(this.operation.document, schema);
    return name in this.references || type === 'boolean' || properties !== undefined || items?.enum !== undefined;
  }

  private get isResource(): boolean {
    return this.operation.path.includes('/oauth-resources');
  }

  private pick<T>(from: readonly T[], otherwise: T): T {
    return from[this.random(from.length || 1)] ?? otherwise;
  }

  private value(name: string, schema: Schema): unknown {
    const reference = this.references[name];
    const plain = plainSchema(this.operation.document, schema);
    if (plain.format === 'idn-hostname' && name === 'name') return `${this.model.unique()}.${this.model.domain}`;
    if (name === 'Operations') return this.scimOperations(plain);
    if (reference && plain.type !== 'object' && !plain.items?.enum) return reference();
    if (plain.nullable && this.random(6) === 0) return null;
    if (plain.enum) return this.pick(plain.enum, undefined);
    if (plain.type === 'array')
      return this.some(
        () => this.value(name.replace(/s$/, ''), plain.items ?? {}),
        plain.items?.enum ? 1 + this.random(5) : plain.minItems,
      );
    if (plain.type === 'object' && plain.properties) return this.body(plain, true);
    if (plain.type === 'boolean') return this.random(2) === 0;
    return plain.example ?? (plain.type === 'integer' ? 60 : this.model.unique());
  }

  private some<T>(value: () => T, atLeast = 0): T[] {
    return [...new Set(Array.from({ length: Math.max(atLeast, this.random(4) && 1 + this.random(2)) }, value))];
  }

  private readonly permission = (): string => {
    const kinds = [SERVICE_PERMISSIONS, SERVICE_RESOURCES.map((each) => `${each}:*`), ['*'], APPLICATION_PERMISSIONS];
    return this.pick(this.pick<readonly string[]>([...kinds, kinds[1]!], []), '*');
  };
  private readonly email = (): string => {
    const isOwn = this.random(5) > 0 || this.model.emails.length === 0;
    return isOwn
      ? `${this.model.unique()}@${this.pick([OWN_DOMAIN, OWN_DOMAIN, this.model.domain], '')}`
      : this.pick(this.model.emails, '');
  };
  private readonly user = (): string => this.model.id('users', this.random);
  private readonly role = (): string => this.model.id('roles', this.random);
  private readonly organization = (): string => this.model.id('organizations', this.random);
  private readonly networks = (): string[] => this.pick([[], [OTHER_NETWORK], ['0.0.0.0/0', '::/0']], []);
  private readonly secret = (): string => this.pick(this.model.texts, 'a'.repeat(43));

  private readonly references: Readonly<Record<string, () => unknown>> = {
    userId: this.user,
    userIds: () => this.some(this.user, 1),
    role: this.role,
    roleId: this.role,
    defaultRole: this.role,
    roles: () => this.some(this.role),
    parentId: this.organization,
    organization: this.organization,
    organizationId: this.organization,
    provider: () => this.model.id('identity-providers', this.random),
    permission: () => this.pick(SERVICE_PERMISSIONS, 'users:read'),
    permissions: () => this.some(this.permission),
    scopes: () =>
      this.isResource
        ? [{ name: this.model.unique() }]
        : this.some(this.permission, 1).filter((each) => !APPLICATION_PERMISSIONS.includes(each)),
    email: this.email,
    userName: () => (this.random(2) === 0 ? this.pick(this.model.userNames, '') || this.email() : this.email()),
    emails: () => [{ value: this.email(), primary: true }],
    name: () => this.model.unique(),
    displayName: () => this.model.unique(),
    externalId: () => this.pick([this.model.unique(), 'shared'], ''),
    allowedClients: () => this.some(() => this.model.id('oauth-clients', this.random)),
    trustedDomains: () => this.pick([[], [this.model.domain]], []),
    allowedDomains: () => this.pick([[], [this.model.domain]], []),
    allowedNetworks: this.networks,
    url: () => 'https://127.0.0.1:9/hooks',
    identifier: () => (this.isResource ? `https://${this.model.unique()}.example` : this.model.baseUrl),
    redirectUris: () => ['https://app.example.com/callback'],

    events: () => ['*'],
    eventTypes: () => ['*'],
    since: () => new Date(Date.now() - 3_600_000).toISOString(),
    until: () => new Date().toISOString(),
    expiresAt: () => new Date(Date.now() + 86_400_000).toISOString(),
    expiresInSeconds: () => 3_600,
    currentPassword: () => PASSWORD,
    token: this.secret,
    challengeToken: this.secret,
    members: () => this.some(() => ({ value: this.user() })),
    active: () => this.random(3) > 0,
    schemas: () => [],
    filter: () => undefined,
    secret: () => undefined,
    slug: () => undefined,
  };

  /** Returns operations of a PATCH request or of a bulk request of SCIM. */
  private readonly scimOperations = (schema: Schema): unknown[] => {
    const changes = [
      { path: 'active', value: this.random(3) > 0 },
      { path: 'userName', value: this.email() },
    ];
    const ofUser = { op: 'replace', ...this.pick<object>(changes, {}) };
    const members = { op: this.pick(['add', 'remove', 'replace'], ''), path: 'members', value: [{ value: this.user() }] };
    if (schema.items?.properties?.['method'] === undefined) return [this.operation.path.includes('Groups') ? members : ofUser];
    const path = `/Users/${this.model.id('Users', this.random)}`;
    const created = {
      method: 'POST',
      path: '/Users',
      bulkId: 'a',
      data: { userName: this.email(), active: this.random(2) === 0 },
    };
    return [
      this.pick<unknown>(
        [created, { method: 'DELETE', path }, { method: 'PATCH', path, data: { Operations: [ofUser] } }],
        created,
      ),
    ];
  };
}

const isReadOnly = (schema: Schema): boolean => (schema as { readOnly?: boolean }).readOnly === true;
