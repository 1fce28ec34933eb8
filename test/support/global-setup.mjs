import './register-typescript.mjs';

/** Starts the servers that all tests share, once per test run. */
export default async function setUp() {
  await import('reflect-metadata');
  const { installRedisServer } = await import('./redis-server-program.ts');
  const { startTestPostgres } = await import('./test-postgres.ts');
  await installRedisServer();
  await startTestPostgres();
}
