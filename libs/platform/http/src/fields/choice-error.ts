import { suggestion } from '#platform/common';
import type { FieldError } from './check.js';

const MAX_SHOWN_CHOICES = 20;
const MAX_SHOWN_LENGTH = 100;

/** Returns the problem of a value that is none of the choices: the choices, what was sent, and the choice that was probably meant. */
export function choiceError(value: unknown, choices: readonly string[]): FieldError {
  const shown = choices.slice(0, MAX_SHOWN_CHOICES).join(', ');
  const more = choices.length - MAX_SHOWN_CHOICES;
  const list = more > 0 ? `${shown}, and ${more} more in the API documentation` : shown;
  // JSON, so that a number, null or a text with spaces is recognized.
  const sent = JSON.stringify(value)?.slice(0, MAX_SHOWN_LENGTH);
  const meant = typeof value === 'string' ? suggestion(value, choices) : '';
  return { code: 'invalid_choice', message: `must be one of: ${list}. It is ${sent}.${meant}` };
}
