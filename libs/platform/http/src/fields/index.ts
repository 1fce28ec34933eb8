export { type Complaint } from './check.js';
export * from './text-fields.js';
export * from './value-fields.js';
