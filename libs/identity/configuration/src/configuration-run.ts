import { type OrganizationScope, type RequestContext, hasPermission } from '#platform/common';
import { assertActive } from '#directory/organizations';
import { Forbidden } from '#identity/auth';
import { contextAt } from './configuration-state.service.js';
import type { ConfigurationStep } from './configuration-step.js';

/** The organizations of a document by slug. Steps add those that they create. */
export type KnownOrganizations = Map<string, OrganizationScope>;

/**
 * Returns the context of a step, as a single request would have it, or undefined if the organization does not exist, because its creation
 * failed.
 * @throws Forbidden (403), OrganizationSuspended, OrganizationPending (409)
 */
export function contextOfStep(
  ctx: RequestContext,
  { at, permission }: ConfigurationStep,
  organizations: KnownOrganizations,
): RequestContext | undefined {
  const organization = organizations.get(at);
  if (!organization) return undefined;
  const own = contextAt(ctx, organization, permission);
  if (!hasPermission(own.caller.permissions, permission))
    throw new Forbidden(
      `This change requires the permission "${permission}" in the organization "${at}". The caller does not have it.`,
    );
  assertActive(organization);
  return own;
}

/** Makes the change of a step in the context of the step. */
export async function runStep(ctx: RequestContext, step: ConfigurationStep, organizations: KnownOrganizations): Promise<void> {
  const created = await step.run(ctx);
  if (created) organizations.set(step.organization, created);
}
