/** What the descriptions of all batches have in common. `operation` is the operation for one user. */
export const batchOf = (operation: string): string =>
  `Does the same as \`${operation}\` for up to 1,000 users, one after the other, with the same rules and events. A user for whom it fails does not affect the others: the response is 200 and contains a result for each user, with the status and the error of \`${operation}\`. If the connection is lost, repeat the request with the same \`Idempotency-Key\`: users who are done stay as they are, and only the others are tried.`;

export const SENSITIVE_ITEMS =
  ' If you use a session and have not signed in or confirmed your identity in the last 10 minutes, a user for whom the operation is sensitive has the error `reauthentication_required`.';
