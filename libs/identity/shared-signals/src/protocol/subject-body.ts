import { membersOf, optionalObject, reject, requiredText } from './request-body.js';

/** A user that a receiver names: by id, by email address, or by a subject that this service can't find. */
export type NamedSubject = { readonly userId: string } | { readonly email: string } | undefined;

type Subject = Readonly<Record<string, unknown>>;

const FORMAT_MAX_LENGTH = 100;
const VALUE_MAX_LENGTH = 2_048;

/**
 * Reads the subject of a request. Returns undefined for well-formed subjects of other formats, other issuers, and parts of a user such as one
 * session. @throws InvalidRequest (400)
 */
export function readSubject(body: unknown, issuer: string): NamedSubject {
  const subject = optionalObject(membersOf(body), 'subject');
  if (!subject) return reject('subject', 'required', 'is required.');
  if (requiredText(subject, 'format', FORMAT_MAX_LENGTH, 'subject/format') !== 'complex')
    return simpleSubject(subject, issuer, 'subject');
  const user = optionalObject(subject, 'user');
  const isOnlyUser = Object.keys(subject).every((name) => name === 'format' || name === 'user');
  return user && isOnlyUser ? simpleSubject(user, issuer, 'subject/user') : undefined;
}

function simpleSubject(subject: Subject, issuer: string, path: string): NamedSubject {
  const text = (name: string) => requiredText(subject, name, VALUE_MAX_LENGTH, `${path}/${name}`);
  const format = text('format');
  if (format === 'email') return { email: text('email') };
  if (format !== 'iss_sub') return undefined;
  const [iss, sub] = [text('iss'), text('sub')];
  return iss === issuer ? { userId: sub } : undefined;
}
