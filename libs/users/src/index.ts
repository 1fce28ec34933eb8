export { UserAccess } from './user-access.js';
export { type AcceptedNames, UserActivation, type UserAtHome } from './user-activation.service.js';
export { type ImportedPassword, ImportedPasswords, type PasswordKeeper } from './transfer/imported-passwords.js';
export { SignInUsers } from './sign-in-users.service.js';
export { USER_IMPORT_BODY } from './transfer/user-transfer.controller.js';
export { User } from './user.entity.js';
export { UserFactors } from './user-factors.service.js';
export { UsersModule } from './users.module.js';
export { UserPurge } from './user-purge.service.js';
