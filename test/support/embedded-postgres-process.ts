import { startEmbeddedPostgres } from '../../libs/platform/database/src/embedded/index.js';

/** A process that runs an embedded PostgreSQL and that tests can kill: prints its URL, and stops gracefully when its input ends. */
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
