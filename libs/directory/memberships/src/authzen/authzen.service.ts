import { Injectable } from '@nestjs/common';
import { type OrganizationScope, reaches, type RequestContext } from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import { CHECKED_PERMISSION } from '../permission-check.requests.js';
import { type PermissionAnswer, PermissionChecksService } from '../permission-checks.service.js';
import type { DecisionResponse, EvaluationsRequest, PartialEvaluation } from './authzen.requests.js';

/** An evaluation whose subject, action and resource this service knows. */
interface PermissionCheck {
  readonly userId: string;
  readonly permission: string;
  readonly organization: OrganizationScope;
}

/** Answers the Access Evaluation API of AuthZEN with permission checks. */
@Injectable()
export class AuthzenService {
  constructor(
    private readonly permissionChecks: PermissionChecksService,
    private readonly scopes: OrganizationScopeQuery,
  ) {}

  /** Returns the decisions in the order of the evaluations, up to the one after which `evaluations_semantic` ends. */
  async evaluateAll(ctx: RequestContext, request: EvaluationsRequest): Promise<DecisionResponse[]> {
    const { subject: someone, action: something, resource: somewhere, evaluations = [], options } = request;
    const decisions = await this.evaluate(
      ctx,
      evaluations.map(({ subject = someone, action = something, resource = somewhere }) => ({ subject, action, resource })),
    );
    const last = { execute_all: undefined, deny_on_first_deny: false, permit_on_first_permit: true }[
      options?.evaluations_semantic ?? 'execute_all'
    ];
    const end = last === undefined ? -1 : decisions.findIndex(({ decision }) => decision === last);
    return end === -1 ? decisions : decisions.slice(0, end + 1);
  }

  /** Returns a decision for each evaluation, in their order. */
  async evaluate(ctx: RequestContext, evaluations: readonly PartialEvaluation[]): Promise<DecisionResponse[]> {
    const organizations = new Map<string, OrganizationScope | null>();
    for (const handle of new Set(evaluations.flatMap(({ resource }) => (resource?.type === 'organization' ? [resource.id] : []))))
      organizations.set(handle, await this.findOrganization(ctx, handle));
    const checks = evaluations.map((evaluation) => checkOf(evaluation, organizations));
    const answers = await this.answersOf(ctx, checks.filter(isCheck));
    return checks.map((check) => (isCheck(check) ? decisionOf(answers.get(check)!) : check));
  }

  /** Returns the organization if the caller has the permission of the operation there. */
  private async findOrganization(ctx: RequestContext, handle: string): Promise<OrganizationScope | null> {
    const organization = await this.scopes.findScope(ctx, handle);
    return organization && reaches(ctx.caller, organization) ? organization : null;
  }

  private async answersOf(
    ctx: RequestContext,
    checks: readonly PermissionCheck[],
  ): Promise<Map<PermissionCheck, PermissionAnswer>> {
    const answers = new Map<PermissionCheck, PermissionAnswer>();
    for (const organization of new Set(checks.map((check) => check.organization))) {
      const here = checks.filter((check) => check.organization === organization);
      const answersHere = await this.permissionChecks.check(ctx, organization, here);
      here.forEach((check, index) => answers.set(check, answersHere[index]!));
    }
    return answers;
  }
}

const isCheck = (check: PermissionCheck | DecisionResponse): check is PermissionCheck => 'permission' in check;

const failed = (status: number, message: string): DecisionResponse => ({
  decision: false,
  context: { error: { status, message } },
});

/** Returns the permission check for an evaluation, or the decision if there is none. */
function checkOf(
  { subject, action, resource }: PartialEvaluation,
  organizations: ReadonlyMap<string, OrganizationScope | null>,
): PermissionCheck | DecisionResponse {
  if (!subject || !action || !resource) return failed(400, 'The evaluation needs a subject, an action and a resource.');
  if (subject.type !== 'user') return failed(400, 'The type of the subject must be "user".');
  if (resource.type !== 'organization') return failed(400, 'The type of the resource must be "organization".');
  if (!CHECKED_PERMISSION.test(action.name))
    return failed(400, 'The name of the action must be a permission: "resource:action".');
  const organization = organizations.get(resource.id);
  if (!organization) return failed(404, `There is no organization "${resource.id}" to which you have access.`);
  return { userId: subject.id, permission: action.name, organization };
}

function decisionOf({ allowed, because, refusal }: PermissionAnswer): DecisionResponse {
  return allowed ? { decision: true, context: { because } } : { decision: false, context: { reason: refusal } };
}
