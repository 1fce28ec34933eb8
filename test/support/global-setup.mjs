import './register-typescript.mjs';

export default async function setUp() {
  await import('reflect-metadata');
  const { installRedisServer } = await import('./redis-server-program.ts');
  const { startTestPostgres } = await import('./test-postgres.ts');
  await installRedisServer();
  await startTestPostgres();
}
