import { Injectable } from '@nestjs/common';
import { Clock, InvalidRequest, PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { MetadataDocumentUnusable } from '../registration/metadata-documents.service.js';
import { SelfDescribedClientsService } from '../registration/self-described-clients.service.js';
import type { ApplicationApproval } from './application-approval.entity.js';
import { ApprovalRequestQuery, type AskingUser } from './approval-request.query.js';

/** An approval with what people need to decide about it. */
export interface ShownApproval {
  readonly approval: ApplicationApproval;
  /** Undefined if the client was deleted. */
  readonly client: KnownClient | undefined;
  readonly requests: readonly AskingUser[];
}

/** Reads what people need to decide about applications. */
@Injectable()
export class ShownApprovalsService {
  constructor(
    private readonly requests: ApprovalRequestQuery,
    private readonly clientQuery: OAuthClientQuery,
    private readonly selfDescribed: SelfDescribedClientsService,
    private readonly clock: Clock,
  ) {}

  async get(ctx: RequestContext, approval: ApplicationApproval): Promise<ShownApproval> {
    const [shown] = await this.describe(ctx, [approval]);
    return shown ?? { approval, client: undefined, requests: [] };
  }

  /** Returns approvals of one tenant with their clients and requests, in the same order. */
  async describe(ctx: RequestContext, approvals: readonly ApplicationApproval[]): Promise<ShownApproval[]> {
    const tenantId = approvals[0]?.tenantId;
    if (tenantId === undefined) return [];
    const ids = approvals.map(({ id }) => id);
    const keys = approvals.map(({ clientId }) => ({ tenantId: PLATFORM_TENANT, id: clientId }));
    const [requests, clients] = await Promise.all([
      this.requests.listOf(ctx, tenantId, ids),
      this.clientQuery.mapByIds(ctx, keys, this.clock.now()),
    ]);
    return approvals.map((approval) => ({
      approval,
      client: clients.get(approval.clientId),
      requests: requests.filter(({ approvalId }) => approvalId === approval.id),
    }));
  }

  /**
   * Returns a client by its id or `client_id`, unless it belongs to another organization. Stores a client that describes itself.
   * @throws InvalidRequest (400) if its document can't be used
   */
  async findClient({ organization, ...ctx }: RequestContext, clientId: string): Promise<KnownClient | undefined> {
    const client = await this.selfDescribed.find(ctx, clientId, 'request').catch((error: unknown) => {
      if (!(error instanceof MetadataDocumentUnusable)) throw error;
      throw new InvalidRequest([
        { pointer: '/clientId', in: 'body', code: 'invalid_choice', message: `clientId: ${error.message}.` },
      ]);
    });
    const home = client?.organization;
    if (!client || (home && home.id !== organization?.id)) return undefined;
    await this.selfDescribed.store(ctx, client);
    return client;
  }
}
