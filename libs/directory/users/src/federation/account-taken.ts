/** A concurrent request has linked the account at the identity provider to another user. */
export class AccountTaken extends Error {}
