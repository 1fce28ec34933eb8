import { Injectable } from '@nestjs/common';
import {
  bindingSessionOf,
  type FieldProblem,
  InvalidRequest,
  type OrganizationScope,
  parseTime,
  type RequestContext,
  ResourceNotFound,
  type FieldProblemCode,
} from '#platform/common';
import { AppConfig } from '#platform/config';
import { HistoryQuery } from '#platform/database';
import { OrganizationScopeQuery } from '../organization-scope.query.js';
import { SessionRequirementsQuery } from '../session-requirements.query.js';

/** Matches the fraction of a second. PostgreSQL stores microseconds. */
const FRACTION = /\.(\d+)/;

/** Prepares reads as of a past moment. */
@Injectable()
export class AsOfService {
  constructor(
    private readonly config: AppConfig,
    private readonly history: HistoryQuery,
    private readonly scopes: OrganizationScopeQuery,
    private readonly sessionRequirements: SessionRequirementsQuery,
  ) {}

  /**
   * Returns the context of a read as of a moment. The caller keeps the present permissions, and sees only organizations that the caller can
   * see now. The organization has the name, the ancestors and the status of the moment.
   * @throws InvalidRequest (400) if the moment is invalid or in the future
   * @throws HistoryUnavailable (410) if the moment is before the beginning of the history
   * @throws ResourceNotFound (404) if the organization did not exist at the moment
   */
  async contextAt(
    ctx: RequestContext,
    organization: OrganizationScope,
    { moment, handle }: { readonly moment: unknown; readonly handle: string },
  ): Promise<RequestContext> {
    const asOf = normalized(moment);
    if (asOf === undefined) {
      throw invalid(
        'invalid_time',
        'asOf must be a time that exists, with an offset (RFC 3339), such as 2026-01-31T12:00:00.000Z.',
      );
    }
    const isPast = await this.history.assertAvailable(ctx, organization.tenantId, asOf, this.config.retentionHistoryMs);
    if (!isPast) throw invalid('out_of_range', 'asOf must not be in the future.');
    const past = await this.scopes.findById({ ...ctx, asOf }, organization);
    if (!past) throw new ResourceNotFound('organization', handle);
    const session = bindingSessionOf(ctx);
    const unmetIds = session ? await this.sessionRequirements.listUnmet(ctx, ctx.caller, session) : [];
    const caller = { ...ctx.caller, inaccessibleOrganizationIds: unmetIds };
    const hiddenOrganizationIds = await this.scopes.listHidden({ ...ctx, caller }, asOf, past, organization);
    return { ...ctx, organization: past, asOf, hiddenOrganizationIds };
  }
}

/** Returns the time in UTC with microseconds, or undefined if it is invalid. A time before 1970 becomes 1970, which PostgreSQL can read. */
function normalized(moment: unknown): string | undefined {
  if (typeof moment !== 'string') return undefined;
  const time = parseTime(moment);
  if (!time) return undefined;
  const microseconds = FRACTION.exec(moment)?.[1]?.padEnd(6, '0').slice(3, 6) ?? '000';
  return `${new Date(Math.max(time.getTime(), 0)).toISOString().slice(0, -1)}${microseconds}Z`;
}

function invalid(code: FieldProblemCode, message: string): InvalidRequest {
  const problem: FieldProblem = { pointer: '/asOf', in: 'query', code, message };
  return new InvalidRequest([problem]);
}
