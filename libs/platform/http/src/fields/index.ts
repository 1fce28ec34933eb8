export { type FieldError } from './check.js';
export type { FieldOptions } from './compose.js';
export * from './text-fields.js';
export * from './value-fields.js';
