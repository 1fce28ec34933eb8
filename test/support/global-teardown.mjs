export default async function tearDown() {
  // The setup loaded this module instance. The instance has the server of the test run.
  const { stopTestPostgres } = await import('./test-postgres.ts');
  await stopTestPostgres();
}
