export { type AccessRemoval, AccountAccess } from './account-access.js';
export { type AcceptedNames, UserActivationService, type UserWithOrganization } from './user-activation.service.js';
export { type ImportedPassword, type ImportedPasswordHandler, ImportedPasswords } from './transfer/imported-passwords.js';
export {
  type ImportedFactors,
  type ImportedFactorsHandler,
  ImportedFactorsPort,
  type LineFactors,
} from './transfer/imported-factors.js';
export { AccountTaken } from './federation/account-taken.js';
export { FederatedUsersService } from './federation/federated-users.service.js';
export type { UserIdentity } from './federation/user-identity.entity.js';
export type { ProviderIdentity } from './federation/user-identity.repository.js';
export { SSO_REQUIRED, SsoRequirementService } from './sso-requirement.service.js';
export { SignInUsersService } from './sign-in-users.service.js';
export { UserAccessService } from './user-access.service.js';
export { UserAdoptionService } from './user-adoption.service.js';
export { UserQueriesService } from './user-queries.service.js';
export { UserResponse, UserOrganizationResponse, UserRoleSummaryResponse } from './user.responses.js';
export { listCell } from './transfer/csv-cells.js';
export { USER_IMPORT_BODY } from './transfer/user-transfer.controller.js';
export { User } from './user.entity.js';
export { assertDomainAllowed } from './user-values.js';
export { DomainNotAllowed, EmailTaken } from './user-errors.js';
export { UserFactorsService } from './user-factors.service.js';
export { UpdateUserRequest } from './user.requests.js';
export { UpdatedUserResponse } from './user.responses.js';
export { type OwnProfile, type Registration, UserSelfService } from './user-self-service.service.js';
export { UsersModule } from './users.module.js';
export { UserDeletionService } from './user-deletion.service.js';
export { UserLifecycleService } from './user-lifecycle.service.js';
export { UnconfirmedAccessService } from './unconfirmed-access.service.js';
export { UserUpdateService } from './user-update.service.js';
export { UsersService } from './users.service.js';
export { UserPurgeService } from './user-purge.service.js';
