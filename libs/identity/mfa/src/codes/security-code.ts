import { randomInt } from 'node:crypto';

export const newSecurityCode = (): string => randomInt(1_000_000).toString().padStart(6, '0');

export const digitsOf = (code: string): string => code.replace(/[\s-]/g, '');

/** Masks an email address or phone number so that only the owner recognizes it: `a•••@example.com`, `+49•••••123`. */
export function maskedDestination(destination: string): string {
  const at = destination.lastIndexOf('@');
  if (at > 0) return `${destination.slice(0, 1)}•••${destination.slice(at)}`;
  return `${destination.slice(0, 3)}•••••${destination.slice(-3)}`;
}
