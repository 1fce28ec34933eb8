export default async function tearDown() {
  // The module that the setup loaded: it holds the server that this run started.
  const { stopTestPostgres } = await import('./test-postgres.ts');
  await stopTestPostgres();
}
