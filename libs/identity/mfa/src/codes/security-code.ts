import { randomInt } from 'node:crypto';

/** A code to be typed in, six digits. */
export const newSecurityCode = (): string => randomInt(1_000_000).toString().padStart(6, '0');

/** The digits of what was typed in. */
export const typedDigits = (code: string): string => code.replace(/[\s-]/g, '');

/** Enough of an address to recognise one's own: `a•••@example.com`, `+49•••••123`. */
export function maskedDestination(destination: string): string {
  const at = destination.lastIndexOf('@');
  if (at > 0) return `${destination.slice(0, 1)}•••${destination.slice(at)}`;
  return `${destination.slice(0, 3)}•••••${destination.slice(-3)}`;
}
