import { account } from './en/account';
import { apiKeys } from './en/api-keys';
import { breakGlass } from './en/break-glass';
import { common } from './en/common';
import { deliveries, reconciliation } from './en/deliveries';
import { errors } from './en/errors';
import { events, eventVerification } from './en/events';
import { firstHour } from './en/first-hour';
import { identityProviders } from './en/identity-providers';
import { members } from './en/members';
import { organization } from './en/organization';
import { organizations } from './en/organizations';
import { permissionChecks } from './en/permission-checks';
import { permissionMatrix, roles } from './en/roles';
import { branding, settings } from './en/settings';
import { shell } from './en/shell';
import { signIn } from './en/sign-in';
import { userImport } from './en/user-import';
import { users } from './en/users';
import { webhookErrors } from './en/webhook-errors';
import { webhookForm } from './en/webhook-form';
import { webhookSigning } from './en/webhook-signing';
import { webhooks } from './en/webhooks';

/** All that people read on the pages, by area. Another language is another folder beside `en` with the same shape. */
export const texts = {
  account,
  apiKeys,
  branding,
  breakGlass,
  common,
  deliveries,
  errors,
  events,
  firstHour,
  eventVerification,
  identityProviders,
  members,
  organization,
  organizations,
  permissionChecks,
  permissionMatrix,
  reconciliation,
  roles,
  settings,
  shell,
  signIn,
  userImport,
  users,
  webhookErrors,
  webhookForm,
  webhooks,
  webhookSigning,
};
