import './register-typescript.mjs';

export default async function setUp() {
  await import('reflect-metadata');
  const { installProgram } = await import('./apt-get.ts');
  const { startTestPostgres } = await import('./test-postgres.ts');
  await installProgram('redis-server', ['redis-server', '--version']);
  await startTestPostgres();
}
