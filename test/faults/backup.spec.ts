import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/delivery-app.js';
import { startDebianPostgres } from '../support/debian-postgres.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { type ServiceEnvironment, TestService } from '../support/service-process.js';

const MANUAL = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const LIMIT_MS = 300_000;
const SECRET = 'whsec_knownToThisTestAlone0123456789abcdefghijk';

/** Returns the only command of docs/operations.md with this beginning. The test runs the documented commands. */
function commandOf(beginning: string): string {
  const matchingLines = MANUAL.split('\n').filter((line) => line.startsWith(beginning));
  if (matchingLines.length !== 1)
    throw new Error(`docs/operations.md has ${matchingLines.length} lines that begin with "${beginning}".`);
  return matchingLines[0]!;
}

jest.setTimeout(LIMIT_MS);

describe('a documented backup', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'backup-'));
    // If root runs the test, the embedded PostgreSQL runs as another system user. This user requires access to the folder.
    chmodSync(path, 0o755);
    cleanups.push(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };
  const create = async (environment: ServiceEnvironment): Promise<TestService> => {
    const service = await TestService.create(environment);
    cleanups.push(() => service.stop());
    return service;
  };

  /** Creates the data that the backup must contain. Returns the paths of the organization and the webhook. */
  async function createData(client: TestClient): Promise<{ at: string; webhook: string }> {
    await client.post('/v1/organizations', { name: 'Kept', slug: 'kept' }).expect(201);
    const at = '/v1/organizations/kept';
    const body = { url: 'https://example.com/', events: ['user.deleted'], secret: SECRET };
    const { id } = (await client.post(`${at}/webhooks`, body).expect(201)).body.data;
    await client.post(`${at}/users`, { email: 'before@example.com' }).expect(201);
    return { at, webhook: `${at}/webhooks/${id}` };
  }

  async function expectAsBefore(client: TestClient, { at, webhook }: { at: string; webhook: string }): Promise<void> {
    const emails = async (): Promise<string[]> =>
      (await client.get(`${at}/users`).expect(200)).body.data.map(({ email }: TestBody) => email);
    expect(await emails()).toEqual(['before@example.com']);
    expect((await client.get(`${webhook}/secret`).expect(200)).body.data.secret).toBe(SECRET);
    expect((await client.get('/health/ready').expect(200)).body.status).toBe('ok');
    await client.post(`${at}/users`, { email: 'after@example.com' }).expect(201);
    expect(await emails()).toEqual(['after@example.com', 'before@example.com']);
    const expected = ['user.created', 'webhook.secret_revealed', 'user.created', 'webhook.created', 'organization.created'];
    const types = async (): Promise<string[]> =>
      (await client.get(`${at}/events`).expect(200)).body.data.map(({ type }: TestBody) => type);
    // The event log contains an event only after the event has a position.
    await eventually(async () => (await types()).length >= expected.length, 20_000, 'the events are numbered');
    expect(await types()).toEqual(expected);
    expect((await client.get(`${at}/events/verify`).expect(200)).body.data.valid).toBe(true);
  }

  it('restores all data if the embedded data folder is copied', async () => {
    const dataFolder = folder();
    const service = await create({ DATA_DIR: join(dataFolder, '.data') });
    const { client } = service;
    const first = await service.start();
    const createdData = await createData(client);
    expect(await first.terminate()).toMatchObject({ code: 0 });
    const inPlace = { cwd: dataFolder };
    execFileSync('sh', ['-c', commandOf('tar -czpf')], inPlace);

    const second = await service.start();
    await client.post(`${createdData.at}/users`, { email: 'lost@example.com' }).expect(201);
    await second.terminate();
    renameSync(join(dataFolder, '.data'), join(dataFolder, 'away'));
    const [unpackCommand = ''] = /tar -xzpf [\w.-]+/.exec(MANUAL) ?? [];
    execFileSync('sh', ['-c', unpackCommand], inPlace);
    const third = await service.start();
    await expectAsBefore(client, createdData);
    await third.terminate();
  });

  // Only the long run includes this test, because the installation of PostgreSQL is slow.
  if (process.env['LONG'] === '1')
    it('restores all data if the database is dumped while the service runs', async () => {
      const dataFolder = folder();
      const postgres = await startDebianPostgres();
      cleanups.push(() => postgres.stop());
      const environment = { DATABASE_URL: postgres.url, SECRETS_KEY: randomBytes(32).toString('base64') };
      const shell = (command: string): string =>
        execFileSync('sh', ['-c', command], {
          cwd: dataFolder,
          encoding: 'utf8',
          env: { ...environment, PATH: `${postgres.binDir}:${process.env['PATH']}` },
        });
      process.stdout.write(shell('pg_dump --version'));
      const service = await create(environment);
      const first = await service.start();
      const createdData = await createData(service.client);
      shell(commandOf('pg_dump'));
      await service.client.post(`${createdData.at}/users`, { email: 'lost@example.com' }).expect(201);
      await first.terminate();
      shell(commandOf('psql'));
      shell(commandOf('pg_restore'));
      await service.start();
      await expectAsBefore(service.client, createdData);
    });
});
