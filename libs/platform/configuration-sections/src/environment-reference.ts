import { InvalidRequest } from '#platform/common';

const REFERENCE = /^\$\{[A-Z_][A-Z0-9_]*\}$/;

/** Returns the reference that stands for a secret in a document. The command line replaces it by the variable of its environment. */
export function environmentReference(...parts: readonly string[]): string {
  const name = parts
    .map((part) =>
      part
        .normalize('NFKD')
        .replaceAll(/[^A-Za-z0-9]+/g, '_')
        .toUpperCase(),
    )
    .join('_');
  // The name of a variable can't begin with a digit.
  return `\${${/^\d/.test(name) ? '_' : ''}${name}}`;
}

/** @throws InvalidRequest (400) for a secret that is still a reference, because a new item needs the secret itself */
export function assertResolved(pointer: string, text: string | null | undefined): void {
  if (!REFERENCE.test(text ?? '')) return;
  const message = `${pointer.slice(1)} is the reference ${text}. Set the environment variable where you run "identity-service configuration".`;
  throw new InvalidRequest([{ pointer, in: 'body', code: 'secret_missing', message }]);
}
