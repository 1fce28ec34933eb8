export { DataDirectoryInUse, EmbeddedPostgresError } from './embedded-postgres-error.js';
export {
  findRunningEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type EmbeddedPostgresServer,
} from './start-embedded-postgres.js';
