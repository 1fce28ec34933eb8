import type { SetupStep } from '#platform/common';

const PERMISSIONS: Readonly<Record<SetupStep, readonly string[]>> = {
  domain: ['domains:read', 'domains:write'],
  // An identity provider can sign in all users of the organization.
  sso: ['*'],
  // A SCIM connection decides about all users of the organization.
  scim: ['*'],
  webhook: ['webhooks:read', 'webhooks:write', 'events:read'],
};

/** Returns the permissions that a setup link with these steps has, in the operations of the steps. */
export const permissionsOf = (steps: readonly SetupStep[]): string[] => [...new Set(steps.flatMap((step) => PERMISSIONS[step]))];
