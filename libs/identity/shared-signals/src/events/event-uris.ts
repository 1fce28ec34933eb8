const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/';
const RISC = 'https://schemas.openid.net/secevent/risc/event-type/';
const SSF = 'https://schemas.openid.net/secevent/ssf/event-type/';

export const SESSION_REVOKED = `${CAEP}session-revoked`;
export const CREDENTIAL_CHANGE = `${CAEP}credential-change`;
export const ACCOUNT_DISABLED = `${RISC}account-disabled`;
export const ACCOUNT_ENABLED = `${RISC}account-enabled`;
export const ACCOUNT_PURGED = `${RISC}account-purged`;
export const IDENTIFIER_CHANGED = `${RISC}identifier-changed`;

export const VERIFICATION = `${SSF}verification`;
export const STREAM_UPDATED = `${SSF}stream-updated`;

/** The events that receivers can request. Streams contain the events of the framework without a request. */
export const SUPPORTED_EVENTS: readonly string[] = [
  SESSION_REVOKED,
  CREDENTIAL_CHANGE,
  ACCOUNT_DISABLED,
  ACCOUNT_ENABLED,
  ACCOUNT_PURGED,
  IDENTIFIER_CHANGED,
];
