import { startEmbeddedPostgres } from '../../libs/platform/database/src/embedded/index.js';

/** Runs an embedded PostgreSQL in a process that tests can kill. Prints the URL, and stops gracefully at the end of the input. */
const [dataDir = ''] = process.argv.slice(2);
process.on('SIGINT', () => console.log('interrupted'));
try {
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: (line) => console.log(`log ${line}`) });
  console.log(`cluster ${server.dataDir}`);
  console.log(`url ${server.url}`);
  process.stdin.resume().once('end', () => void server.stop().then(() => console.log('stopped')));
} catch (error) {
  console.log(`refused ${(error as Error).message}`);
}
