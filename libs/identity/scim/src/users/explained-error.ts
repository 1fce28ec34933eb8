import { DomainNotAllowed, EmailTaken } from '#directory/users';
import { ScimRequestInvalid, ScimUniqueness } from '../protocol/scim-errors.js';
import type { UserFields } from './scim-user-fields.js';

/** Returns an error of the services in the terms of SCIM. */
export function explainedError(error: unknown, fields: Pick<UserFields, 'email'> | undefined): unknown {
  if (error instanceof DomainNotAllowed) return new ScimRequestInvalid('invalidValue', error.message);
  if (!(error instanceof EmailTaken)) return error;
  const address = fields ? `the email address "${fields.email}"` : 'this email address';
  return new ScimUniqueness(
    `Another user of this tenant has ${address}. If another connection provisions the user, remove the user there first. If the organization manages the user, set "adoptExistingUsers" of the connection and verify the domain of the address.`,
  );
}
