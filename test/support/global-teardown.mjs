export default async function tearDown() {
  // This is the module that the setup loaded, so it knows the server of this test run.
  const { stopTestPostgres } = await import('./test-postgres.ts');
  await stopTestPostgres();
}
