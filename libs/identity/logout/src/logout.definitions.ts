import { defineApiSection } from '#platform/http';

defineApiSection(
  'Logout deliveries',
  'Logout tokens that were sent to OAuth clients because sessions of users ended (OpenID Connect Back-Channel Logout 1.0).',
);
