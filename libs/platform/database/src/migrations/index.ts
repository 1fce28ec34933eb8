import { Foundation1790000000000 } from './1790000000000-foundation.js';
import { FoldFinalSigma1790000030000 } from './1790000030000-fold-final-sigma.js';
import { EventLog1790000040000 } from './1790000040000-event-log.js';
import { DeliveryOperations1790000050000 } from './1790000050000-delivery-operations.js';
import { SigningKeys1790000060000 } from './1790000060000-signing-keys.js';
import { SignIn1790000070000 } from './1790000070000-sign-in.js';
import { Mfa1790000080000 } from './1790000080000-mfa.js';
import { BreakGlass1790000090000 } from './1790000090000-break-glass.js';
import { Federation1790000100000 } from './1790000100000-federation.js';
import { OperatorSessions1790000110000 } from './1790000110000-operator-sessions.js';
import { WebhookStatisticsAndPace1790000130000 } from './1790000130000-webhook-statistics-and-pace.js';
import { RoomForClaims1790000140000 } from './1790000140000-fill-factor-of-deliveries.js';
import { TracesOfEvents1790000155000 } from './1790000155000-traces-of-events.js';
import { UsersFoundByHash1790000160000 } from './1790000160000-users-found-by-hash.js';
import { SearchGathersWrites1790000170000 } from './1790000170000-search-gathers-writes.js';
import { ApiKeyOwners1790000180000 } from './1790000180000-api-key-owners.js';
import { SessionReauthentication1790000190000 } from './1790000190000-session-reauthentication.js';
import { WebhookOwners1790000200000 } from './1790000200000-webhook-owners.js';
import { PermissionsUsedByKeys1790000210000 } from './1790000210000-permissions-used-by-keys.js';
import { UsersLocale1795455839431 } from './1795455839431-users-locale.js';
import { EventSubscriberCursors1795532400000 } from './1795532400000-event-subscriber-cursors.js';
import { IndexOfUnsucceededDeliveries1795600000000 } from './1795600000000-index-of-unsucceeded-deliveries.js';
import { KeysWithinATenant1795700000000 } from './1795700000000-keys-within-a-tenant.js';
import { TenantsOfGuests1796000000000 } from './1796000000000-tenants-of-guests.js';
import { LastSuccessOfWebhooks1796100000000 } from './1796100000000-last-success-of-webhooks.js';
import { IndexOfEmailAddresses1796250000000 } from './1796250000000-index-of-email-addresses.js';
import { TokenHashesOfSessions1796200000000 } from './1796200000000-token-hashes-of-sessions.js';
import { AssignersOfRoles1796300000000 } from './1796300000000-assigners-of-roles.js';
import { HistoryOfRows1796400000000 } from './1796400000000-history-of-rows.js';
import { TreeInTheHistory1796450000000 } from './1796450000000-tree-in-the-history.js';
import { Groups1796500000000 } from './1796500000000-groups.js';
import { Domains1796510000000 } from './1796510000000-domains.js';
import { SetupLinks1796550000000 } from './1796550000000-setup-links.js';
import { Scim1796600000000 } from './1796600000000-scim.js';
import { ScimPreview1796610000000 } from './1796610000000-scim-preview.js';
import { NameKeys1796700000000 } from './1796700000000-name-keys.js';
import { FoldNamesAgain1796710000000 } from './1796710000000-fold-names-again.js';
import { ConfirmedAddresses1796730000000 } from './1796730000000-confirmed-addresses.js';
import { ScimUserNames1796740000000 } from './1796740000000-scim-user-names.js';
import { SessionsAndDeletedUsers1796800000000 } from './1796800000000-sessions-and-deleted-users.js';
import { IdempotentReplays1796810000000 } from './1796810000000-idempotent-replays.js';
import { KeysOfSetupLinks1796820000000 } from './1796820000000-keys-of-setup-links.js';
import { BreakGlassOfMembers1796830000000 } from './1796830000000-break-glass-of-members.js';
import { OAuth1796900000000 } from './1796900000000-oauth.js';
import { IdentityProvidersOfSessions1796910000000 } from './1796910000000-identity-providers-of-sessions.js';
import { OAuthClientProofs1797100000000 } from './1797100000000-oauth-client-proofs.js';
import { ApplicationApprovals1797400000000 } from './1797400000000-application-approvals.js';
import { AudiencesOfOauthClients1797500000000 } from './1797500000000-audiences-of-oauth-clients.js';
import { RowsOfSetupLinks1797600000000 } from './1797600000000-rows-of-setup-links.js';
import { NotificationReads1797650000000 } from './1797650000000-notification-reads.js';
import { ImportedPasskeys1797710000000 } from './1797710000000-imported-passkeys.js';
import { IndexOfUsersManagedElsewhere1797701100000 } from './1797701100000-index-of-users-managed-elsewhere.js';
import { PasswordMigrations1797720000000 } from './1797720000000-password-migrations.js';
import { UsesOfClientSecrets1796920000000 } from './1796920000000-uses-of-client-secrets.js';
import { IndexOfClientOrigins1796930000000 } from './1796930000000-index-of-client-origins.js';
import { Impersonations1797200000000 } from './1797200000000-impersonations.js';
import { OAuthSessions1797756000000 } from './1797756000000-oauth-sessions.js';
import { TestsOfIdentityProviders1797800000000 } from './1797800000000-tests-of-identity-providers.js';
import { FormatsOfWebhooks1797810000000 } from './1797810000000-formats-of-webhooks.js';
import { SharedSignals1797830000000 } from './1797830000000-shared-signals.js';

export const MIGRATIONS = [
  Foundation1790000000000,
  FoldFinalSigma1790000030000,
  EventLog1790000040000,
  DeliveryOperations1790000050000,
  SigningKeys1790000060000,
  SignIn1790000070000,
  Mfa1790000080000,
  BreakGlass1790000090000,
  Federation1790000100000,
  OperatorSessions1790000110000,
  WebhookStatisticsAndPace1790000130000,
  RoomForClaims1790000140000,
  TracesOfEvents1790000155000,
  UsersFoundByHash1790000160000,
  SearchGathersWrites1790000170000,
  ApiKeyOwners1790000180000,
  SessionReauthentication1790000190000,
  WebhookOwners1790000200000,
  PermissionsUsedByKeys1790000210000,
  UsersLocale1795455839431,
  EventSubscriberCursors1795532400000,
  IndexOfUnsucceededDeliveries1795600000000,
  KeysWithinATenant1795700000000,
  TenantsOfGuests1796000000000,
  LastSuccessOfWebhooks1796100000000,
  TokenHashesOfSessions1796200000000,
  IndexOfEmailAddresses1796250000000,
  AssignersOfRoles1796300000000,
  HistoryOfRows1796400000000,
  TreeInTheHistory1796450000000,
  Groups1796500000000,
  Domains1796510000000,
  SetupLinks1796550000000,
  Scim1796600000000,
  ScimPreview1796610000000,
  NameKeys1796700000000,
  FoldNamesAgain1796710000000,
  ConfirmedAddresses1796730000000,
  ScimUserNames1796740000000,
  SessionsAndDeletedUsers1796800000000,
  IdempotentReplays1796810000000,
  KeysOfSetupLinks1796820000000,
  BreakGlassOfMembers1796830000000,
  OAuth1796900000000,
  IdentityProvidersOfSessions1796910000000,
  UsesOfClientSecrets1796920000000,
  IndexOfClientOrigins1796930000000,
  Impersonations1797200000000,
  OAuthClientProofs1797100000000,
  ApplicationApprovals1797400000000,
  AudiencesOfOauthClients1797500000000,
  RowsOfSetupLinks1797600000000,
  NotificationReads1797650000000,
  IndexOfUsersManagedElsewhere1797701100000,
  ImportedPasskeys1797710000000,
  PasswordMigrations1797720000000,
  OAuthSessions1797756000000,
  TestsOfIdentityProviders1797800000000,
  FormatsOfWebhooks1797810000000,
  SharedSignals1797830000000,
];
