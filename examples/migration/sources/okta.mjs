import { readRows } from './shared.mjs';

const SUSPENDED = new Set(['SUSPENDED', 'DEPROVISIONED']);
const CAN_SIGN_IN = new Set(['ACTIVE', 'LOCKED_OUT', 'PASSWORD_EXPIRED', 'RECOVERY']);
const FIELDS = new Set(['firstName', 'lastName', 'displayName', 'email', 'login', 'mobilePhone', 'locale']);

/** `okta users.json`: the pages of `GET /api/v1/users` as one array. Okta exports no password hashes and no factors. */
export function okta([file], { active }) {
  return readRows(file).map(({ id, status, profile }) => ({
    externalId: id,
    email: profile.email,
    // Okta sends the activation to the primary address, so that who has signed in has confirmed it.
    emailVerified: CAN_SIGN_IN.has(status),
    firstName: profile.firstName,
    lastName: profile.lastName,
    displayName: profile.displayName,
    phoneNumber: profile.mobilePhone,
    locale: profile.locale?.replace('_', '-'),
    metadata: Object.fromEntries(
      Object.entries(profile).filter(
        ([name, value]) => value !== null && (!FIELDS.has(name) || (name === 'login' && value !== profile.email)),
      ),
    ),
    status: SUSPENDED.has(status) ? 'suspended' : active(CAN_SIGN_IN.has(status)),
    suspendedReason: SUSPENDED.has(status) ? `${status} at Okta` : undefined,
  }));
}
