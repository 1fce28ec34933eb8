import { Injectable } from '@nestjs/common';
import { DomainError, type FieldProblem, type FieldProblemCode, type RequestContext } from '#platform/common';
import { type Attempt, TransactionRunner } from '#platform/database';
import { contextOfStep, type KnownOrganizations, runStep } from './configuration-run.js';
import type { PlanConfigurationRequest } from './configuration.requests.js';
import { ConfigurationStateService, stateOf, type StoredOrganization } from './configuration-state.service.js';
import {
  type ConfigurationEffects,
  type ConfigurationItem,
  type ConfigurationStep,
  ORGANIZATION_SECTION,
} from './configuration-step.js';
import { ConfigurationStepsService, sectionsOf } from './configuration-steps.service.js';
import { wantedOrganizations } from './configuration-tree.js';

/** Why a step would fail. */
export interface ConfigurationProblem extends ConfigurationItem {
  readonly error: DomainError;
  readonly fields: readonly FieldProblem[];
}

export type PlannedChange = Pick<ConfigurationStep, 'organization' | 'section' | 'name' | 'action' | 'changes'> &
  ConfigurationEffects;

/** What a document would change. */
export interface ConfigurationPlan {
  readonly state: string;
  readonly steps: readonly ConfigurationStep[];
  readonly changes: readonly PlannedChange[];
  readonly problems: readonly ConfigurationProblem[];
  readonly unmanaged: readonly ConfigurationItem[];
  /** The organizations as they are. */
  readonly stored: readonly StoredOrganization[];
  /** Returns the stored organizations by their slugs in the document. */
  knownOrganizations(): KnownOrganizations;
}

/** Finds out what a document would change, by making the changes in a transaction that rolls back. */
@Injectable()
export class ConfigurationPlanService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly states: ConfigurationStateService,
    private readonly stepLists: ConfigurationStepsService,
  ) {}

  /**
   * @param assertState checks the present state before the changes are tried
   * @throws InvalidRequest (400), Forbidden (403), ConfigurationTooLarge (422), and what `assertState` throws
   */
  async plan(
    ctx: RequestContext,
    { document, prune = false }: PlanConfigurationRequest,
    assertState: (state: string) => void = () => undefined,
  ): Promise<ConfigurationPlan> {
    const stored = await this.states.read(ctx, sectionsOf(document.organizations));
    const state = stateOf(stored);
    assertState(state);
    const wanted = wantedOrganizations(document.organizations, stored);
    const { steps, unmanaged } = await this.stepLists.list(ctx, wanted, prune);
    const slugs = new Set(wanted.map((each) => each.stored?.id));
    const missing = stored.filter(({ id }) => !slugs.has(id));
    const knownOrganizations = (): KnownOrganizations =>
      new Map(wanted.flatMap((each) => (each.stored ? [[each.slug, each.stored.scope] as const] : [])));
    const rest = missing.map(({ slug }) => ({ organization: slug, section: ORGANIZATION_SECTION, name: slug }));
    const tried = steps.length === 0 ? { changes: [], problems: [] } : await this.rehearse(ctx, steps, knownOrganizations);
    return { state, steps, ...tried, unmanaged: [...unmanaged, ...rest], stored, knownOrganizations };
  }

  private async rehearse(
    ctx: RequestContext,
    steps: readonly ConfigurationStep[],
    knownOrganizations: () => KnownOrganizations,
  ): Promise<Pick<ConfigurationPlan, 'changes' | 'problems'>> {
    const failed = new Map<ConfigurationStep, ConfigurationProblem>();
    for (const step of steps) {
      // A new organization has no context yet. The check does not need it.
      const problem = step.check && (await problemOf(step, () => step.check!(ctx)));
      if (problem) failed.set(step, problem);
    }
    return this.transactions.rehearse(ctx, async (ctx, attempt) => {
      const [organizations, problems] = [knownOrganizations(), new Map(failed)];
      const changes: PlannedChange[] = [];
      for (const step of steps) {
        const { organization, section, name, action, changes: fields } = step;
        let effects: ConfigurationEffects = {};
        const run = async (): Promise<void> => void (effects = await tryStep(ctx, step, organizations, attempt));
        const problem = failed.get(step) ?? (await problemOf(step, run));
        if (problem) problems.set(step, problem);
        changes.push({ organization, section, name, action, changes: fields, ...effects });
      }
      return { changes, problems: [...problems.values()] };
    });
  }
}

/** Makes the change of a step and returns its effects. Undoes the change if it fails. */
async function tryStep(
  ctx: RequestContext,
  step: ConfigurationStep,
  organizations: KnownOrganizations,
  attempt: Attempt,
): Promise<ConfigurationEffects> {
  const own = contextOfStep(ctx, step, organizations);
  if (!own) return {};
  return attempt(async () => {
    const effects = (await step.findEffects?.(own)) ?? {};
    await runStep(own, step, organizations);
    return effects;
  });
}

/** Returns the problem of a step, or undefined if `run` resolves. @throws errors that are no mistake of the request */
async function problemOf(step: ConfigurationStep, run: () => Promise<void>): Promise<ConfigurationProblem | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
    const { organization, section, name, pointer } = step;
    const errors = error.errors ?? [{ pointer: '', code: error.code, message: error.message }];
    const place = pointer === '' ? `/document/organizations` : pointer;
    const fields = errors.map((each) => ({
      in: 'body' as const,
      // The code of an error without fields. The pages have a text for it, too.
      code: each.code as FieldProblemCode,
      message: each.message,
      pointer: place + each.pointer,
    }));
    return { organization, section, name, error, fields };
  }
}
