import { account } from './en/account';
import { apiKeys } from './en/api-keys';
import { breakGlass } from './en/break-glass';
import { common } from './en/common';
import { errors } from './en/errors';
import { events, eventVerification } from './en/events';
import { identityProviders } from './en/identity-providers';
import { members } from './en/members';
import { organizations } from './en/organizations';
import { permissionChecks } from './en/permission-checks';
import { permissionMatrix, roles } from './en/roles';
import { shell } from './en/shell';
import { userImport } from './en/user-import';
import { users } from './en/users';

/** All that people read on the pages, by area. Another language is another folder beside `en` with the same shape. */
export const texts = {
  account,
  apiKeys,
  breakGlass,
  common,
  errors,
  eventVerification,
  events,
  identityProviders,
  members,
  organizations,
  permissionChecks,
  permissionMatrix,
  roles,
  shell,
  userImport,
  users,
};
