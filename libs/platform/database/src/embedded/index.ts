export { DataDirectoryInUse, EmbeddedPostgresError } from './embedded-postgres-error.js';
export { findRunningEmbeddedPostgres, startEmbeddedPostgres, type EmbeddedPostgresServer } from './start-embedded-postgres.js';
