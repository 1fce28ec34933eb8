import { Injectable, Logger } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { type ScimError, scimErrorOf } from '#platform/http';
import { ScimModeService } from '../access/scim-mode.service.js';
import { baseUrlOf, connectionOf } from '../access/scim-connection.js';
import { ScimChangesService } from '../changes/scim-changes.service.js';
import { isObject, type ScimObject } from '../protocol/resource.js';
import { ScimRequestInvalid, ScimTooLarge } from '../protocol/scim-errors.js';
import { MAX_BULK_OPERATIONS } from '../protocol/service-documents.js';

const BULK_RESPONSE_SCHEMA_ID = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const PATH = /^\/(Users|Groups)(?:\/([^/?\0]+))?$/;
const REFERENCE = /bulkId:([A-Za-z0-9_.-]{1,100})/g;

interface BulkOperation {
  readonly method: (typeof METHODS)[number];
  readonly type: 'Users' | 'Groups';
  readonly id: string | undefined;
  readonly bulkId: string | undefined;
  readonly version: string | undefined;
  readonly data: unknown;
}

interface BulkResult {
  method: string;
  bulkId?: string;
  location?: string;
  version?: string;
  status: string;
  response?: ScimError;
}

/** Executes several changes with one request (RFC 7644, section 3.7). Each change has its own transaction. */
@Injectable()
export class ScimBulkService {
  private readonly logger = new Logger(ScimBulkService.name);

  constructor(
    private readonly changes: ScimChangesService,
    private readonly mode: ScimModeService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Executes the operations in their order. An operation that refers to the `bulkId` of a later operation is executed after it.
   * @throws ScimRequestInvalid (400), ScimTooLarge (413)
   */
  async run(ctx: RequestContext, body: unknown): Promise<ScimObject> {
    const { operations, failOnErrors } = readBulk(body);
    const results = new Map<BulkOperation, BulkResult>();
    const ids = new Map<string, string>();
    let waiting = operations;
    let failures = 0;
    while (waiting.length > 0 && failures < failOnErrors) {
      const postponed: BulkOperation[] = [];
      for (const operation of waiting) {
        if (failures >= failOnErrors) break;
        if (referencesOf(operation).some((bulkId) => !ids.has(bulkId))) {
          postponed.push(operation);
          continue;
        }
        const result = await this.executeOne(ctx, resolved(operation, ids), ids);
        results.set(operation, result);
        if (result.response) failures++;
      }
      const isStuck = postponed.length === waiting.length;
      if (isStuck) for (const operation of postponed) results.set(operation, unresolved(operation, ids));
      waiting = isStuck ? [] : postponed;
    }
    return {
      schemas: [BULK_RESPONSE_SCHEMA_ID],
      Operations: operations.flatMap((operation) => results.get(operation) ?? []),
    };
  }

  private async executeOne(ctx: RequestContext, operation: BulkOperation, ids: Map<string, string>): Promise<BulkResult> {
    const { method, type, bulkId } = operation;
    const named = { method, ...(bulkId === undefined ? {} : { bulkId }) };
    const base = baseUrlOf(this.config, connectionOf(ctx));
    try {
      // Earlier operations, or other requests, can have stopped the connection.
      await this.mode.assertUnchanged(ctx);
      const resource = await this.dispatch(ctx, operation);
      const id = (resource?.['id'] as string | undefined) ?? operation.id ?? '';
      if (bulkId !== undefined) ids.set(bulkId, id);
      const version = isObject(resource?.['meta']) ? resource['meta']['version'] : undefined;
      return {
        ...named,
        location: `${base}/${type}/${id}`,
        ...(typeof version === 'string' ? { version } : {}),
        status: method === 'POST' ? '201' : resource ? '200' : '204',
      };
    } catch (error) {
      const response = scimErrorOf(error);
      if (response.status === '500') this.logger.error({ err: error, requestId: ctx.requestId }, 'Unexpected error.');
      const location = operation.id === undefined ? {} : { location: `${base}/${type}/${operation.id}` };
      return { ...named, ...location, status: response.status, response };
    }
  }

  private async dispatch(ctx: RequestContext, operation: BulkOperation): Promise<ScimObject | undefined> {
    const { method, type, id = '', version, data } = operation;
    const service = type === 'Users' ? this.changes.users(ctx) : this.changes.groups(ctx);
    if (method === 'POST') return service.create(ctx, data);
    if (method === 'PUT') return service.replace(ctx, id, data, version);
    if (method === 'PATCH') return (await service.patch(ctx, id, data, version)) ?? undefined;
    await service.delete(ctx, id, version);
    return undefined;
  }
}

function readBulk(body: unknown): { operations: BulkOperation[]; failOnErrors: number } {
  if (!isObject(body) || !Array.isArray(body['Operations']))
    throw new ScimRequestInvalid('invalidSyntax', 'The body must have "Operations", a list of operations.');
  const { Operations: list, failOnErrors = null } = body;
  if (list.length > MAX_BULK_OPERATIONS)
    throw new ScimTooLarge(`A request can have at most ${MAX_BULK_OPERATIONS} operations. Send several requests.`);
  if (failOnErrors !== null && (typeof failOnErrors !== 'number' || !Number.isInteger(failOnErrors) || failOnErrors < 1))
    throw new ScimRequestInvalid('invalidSyntax', '"failOnErrors" must be a whole number of at least 1.');
  return { operations: list.map(readOperation), failOnErrors: failOnErrors ?? Infinity };
}

function readOperation(operation: unknown): BulkOperation {
  const { method, path, bulkId, version, data } = isObject(operation) ? operation : ({} as ScimObject);
  const name = METHODS.find((each) => typeof method === 'string' && each === method.toUpperCase());
  if (!name) throw new ScimRequestInvalid('invalidSyntax', `"method" of an operation must be one of ${METHODS.join(', ')}.`);
  const [, type, id] = PATH.exec(typeof path === 'string' ? path : '') ?? [];
  if ((type !== 'Users' && type !== 'Groups') || (name === 'POST') !== (id === undefined))
    throw new ScimRequestInvalid(
      'invalidPath',
      '"path" of an operation must be /Users or /Groups for POST, and have an id otherwise.',
    );
  if (name === 'POST' && typeof bulkId !== 'string')
    throw new ScimRequestInvalid('invalidSyntax', 'An operation with "POST" needs a "bulkId".');
  return {
    method: name,
    type,
    id,
    bulkId: typeof bulkId === 'string' ? bulkId : undefined,
    version: typeof version === 'string' ? version : undefined,
    data,
  };
}

/** Returns the `bulkId` of the operations whose resources an operation refers to. */
function referencesOf({ id, data }: BulkOperation): string[] {
  return [...`${id ?? ''} ${JSON.stringify(data) ?? ''}`.matchAll(REFERENCE)].map(([, bulkId]) => bulkId!);
}

function resolved(operation: BulkOperation, ids: ReadonlyMap<string, string>): BulkOperation {
  if (referencesOf(operation).length === 0) return operation;
  const replace = (text: string): string => text.replaceAll(REFERENCE, (_, bulkId: string) => ids.get(bulkId) ?? '');
  return {
    ...operation,
    id: operation.id === undefined ? undefined : replace(operation.id),
    data: JSON.parse(replace(JSON.stringify(operation.data))) as unknown,
  };
}

function unresolved(operation: BulkOperation, ids: ReadonlyMap<string, string>): BulkResult {
  const missing = referencesOf(operation).find((bulkId) => !ids.has(bulkId)) ?? '';
  const error = new ScimRequestInvalid('invalidValue', `No operation has created a resource with the bulkId "${missing}".`);
  const { method, bulkId } = operation;
  return { method, ...(bulkId === undefined ? {} : { bulkId }), status: '400', response: scimErrorOf(error) };
}
