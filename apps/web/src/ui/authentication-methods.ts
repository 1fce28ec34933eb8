import { findText } from '../texts';

/** Returns the names of authentication methods. A method of a newer release is shown by its code. */
export function authenticationMethodNames(methods: readonly string[]): string {
  return methods.map((method) => findText(`users.sessions.methodNames.${method}`) ?? method).join(', ');
}
