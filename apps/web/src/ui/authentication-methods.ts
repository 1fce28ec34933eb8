import { findText } from '../texts';

/** Names the methods of a sign-in. A method of a newer service, which has no name yet, is named by its code. */
export function authenticationMethodNames(methods: readonly string[]): string {
  return methods.map((method) => findText(`users.sessions.methodNames.${method}`) ?? method).join(', ');
}
