import { Foundation1790000000000 } from './1790000000000-foundation.js';

/** Every migration, oldest first. */
export const MIGRATIONS = [Foundation1790000000000];
