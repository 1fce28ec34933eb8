import type { Changes } from '#platform/common';
import * as example from '../catalog-examples.js';
import type { IdentityProviderData } from '../event-data.js';
import { event } from './event-definition.js';

export const IDENTITY_PROVIDER_EVENTS = {
  'identity_provider.created': event<IdentityProviderData>('An identity provider was created.', example.identityProvider),
  'identity_provider.updated': event<IdentityProviderData & { changes: Changes }>(
    'An identity provider was updated. `changes` contains the previous and the new value of each changed field.',
    {
      ...example.identityProvider,
      changes: { trustedDomains: { from: [], to: ['example.com'] } },
    },
  ),
  'identity_provider.deleted': event<IdentityProviderData>('An identity provider was deleted.', example.identityProvider),
} as const;
