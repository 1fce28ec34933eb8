export default async function tearDown() {
  // The module that the setup loaded: it has the server that this run started.
  const { stopTestPostgres } = await import('./test-postgres.ts');
  await stopTestPostgres();
}
