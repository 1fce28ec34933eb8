import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { ConfigurationChanged, ConfigurationRejected } from './configuration-errors.js';
import { contextOfStep, type KnownOrganizations, runStep } from './configuration-run.js';
import type { ApplyConfigurationRequest } from './configuration.requests.js';
import { type ConfigurationPlan, ConfigurationPlanService, type PlannedChange } from './configuration-plan.service.js';
import { ConfigurationStateService, stateOf } from './configuration-state.service.js';
import type { ConfigurationStep } from './configuration-step.js';
import { sectionsOf } from './configuration-steps.service.js';

/** Makes the changes of a plan. */
@Injectable()
export class ConfigurationApplyService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly plans: ConfigurationPlanService,
    private readonly states: ConfigurationStateService,
  ) {}

  /**
   * Makes the changes in one transaction per organization, first from the root down, then removals and new locks from the leaves up.
   * @throws ConfigurationChanged (409), ConfigurationRejected (422), ReauthenticationRequired (401), and the errors of
   * `ConfigurationPlanService.plan`
   */
  async apply(
    ctx: RequestContext,
    request: ApplyConfigurationRequest,
  ): Promise<{ state: string; changes: readonly PlannedChange[] }> {
    const plan = await this.plans.plan(ctx, request, (state) => {
      if (state !== request.state) throw new ConfigurationChanged();
    });
    const signInNeeded = plan.problems.find(({ error }) => error.kind === 'unauthenticated');
    if (signInNeeded) throw signInNeeded.error;
    if (plan.problems.length > 0) throw new ConfigurationRejected(plan.problems.flatMap(({ fields }) => fields));
    const organizations = plan.knownOrganizations();
    const changed = new Set<string>();
    for (const steps of byOrganization(plan.steps)) {
      const { organization } = steps[0]!;
      await this.work.run(ctx, async (ctx) => {
        if (!changed.has(organization)) await this.assertUnchanged(ctx, plan, organization);
        for (const step of steps) await run(ctx, step, organizations);
      });
      changed.add(organization);
    }
    const stored = await this.states.read(ctx, sectionsOf(request.document.organizations));
    return { state: stateOf(stored), changes: plan.changes };
  }

  /** @throws ConfigurationChanged (409) if another request changed the organization since the plan */
  private async assertUnchanged(ctx: RequestContext, plan: ConfigurationPlan, slug: string): Promise<void> {
    const scope = plan.knownOrganizations().get(slug);
    const stored = plan.stored.find(({ id }) => id === scope?.id);
    if (!scope || !stored) return;
    const now = await this.states.readOrganization(ctx, stored);
    if (!isDeepStrictEqual(now, stored)) throw new ConfigurationChanged();
  }
}

async function run(ctx: RequestContext, step: ConfigurationStep, organizations: KnownOrganizations): Promise<void> {
  const own = contextOfStep(ctx, step, organizations);
  if (!own) throw new ConfigurationChanged();
  await runStep(own, step, organizations);
}

/** Returns steps in groups of successive steps of an organization. */
function byOrganization(steps: readonly ConfigurationStep[]): ConfigurationStep[][] {
  const groups: ConfigurationStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last?.[0]?.organization === step.organization) last.push(step);
    else groups.push([step]);
  }
  return groups;
}
