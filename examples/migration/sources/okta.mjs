import { readRows } from './shared.mjs';

const SUSPENDED = new Set(['SUSPENDED', 'DEPROVISIONED']);
const CAN_SIGN_IN = new Set(['ACTIVE', 'LOCKED_OUT', 'PASSWORD_EXPIRED', 'RECOVERY']);
const FIELDS = new Set(['firstName', 'lastName', 'displayName', 'email', 'login', 'mobilePhone', 'locale', 'preferredLanguage']);

/**
 * `okta users.json…`: the pages of `GET /api/v1/users`. Okta exports no password hashes and no factors, and does not say whether an email
 * address is verified: administrators can create active users.
 * Names of fields and statuses: user.py, user_profile.py and user_status.py in okta/models of okta-sdk-python 2.
 */
export function okta(files, { active }) {
  return files.flatMap(readRows).map(({ id, status, profile }) => ({
    externalId: id,
    email: profile.email,
    firstName: profile.firstName,
    lastName: profile.lastName,
    displayName: profile.displayName,
    phoneNumber: profile.mobilePhone,
    locale: (profile.preferredLanguage?.split(/[,;]/)[0] ?? profile.locale)?.replace('_', '-'),
    metadata: Object.fromEntries(
      Object.entries(profile).filter(
        ([name, value]) => value !== null && (!FIELDS.has(name) || (name === 'login' && value !== profile.email)),
      ),
    ),
    status: SUSPENDED.has(status) ? 'suspended' : active(CAN_SIGN_IN.has(status)),
    suspendedReason: SUSPENDED.has(status) ? `${status} at Okta` : undefined,
  }));
}
