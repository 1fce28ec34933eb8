// Processor time: 1,400 random requests in 200 tenants.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordHasher } from '#platform/crypto';
import fc from 'fast-check';
import { openSession } from '../../support/signed-in.js';
import { TestClient, type TestResponse } from '../../support/http-client.js';
import { testApp } from '../../support/test-app.js';
import { SEED, sized } from '../../support/test-size.js';
import { OWN_DOMAIN, PASSWORD, powerGraph } from './drawn-graph.js';
import { type Conspirator, type StoredGraph, storeGraph } from './power-graph.js';
import { SITUATIONS } from './power-situations.js';
import { grantsThatOutlive, provenHeaders, requestToken } from './power-rows.js';
import { PowerInvariants, takeSnapshot } from './power-invariants.js';
import {
  BodyWriter,
  drawableOperations,
  type DrawnRequest,
  drawnRequest,
  PowerModel,
  type PowerOperation,
  randomFrom,
  UNKNOWN,
} from './power-requests.js';

const GRAPHS = sized(200, 500, 2_000);
const LONG_TEST_MS = 90 * 60_000;
const operations = await drawableOperations();

const CALLERS: Readonly<Record<Conspirator['kind'], readonly string[]>> = {
  session: ['sessionToken'],
  api_key: ['apiKey'],
  setup_link: ['apiKey'],
  scim_token: ['scimToken'],
  oauth: ['sessionToken', 'apiKey'],
  oauth_client: ['apiKey'],
};

/** The paths that a setup link with a step can use. */
const SETUP_PATHS = [
  ['domain', '/domains'],
  ['sso', '/identity-providers'],
  ['scim', '/scim-connections'],
  ['webhook', '/webhooks'],
] as const;

describe('random requests of conspirators', () => {
  const app = testApp({ role: 'api' });
  const sent = new Map<string, { requests: number; succeeded: number }>();
  let passwordHash = '';

  beforeAll(async () => {
    passwordHash = await app.app.get(PasswordHasher).hash(PASSWORD);
  });

  /** The tenant of one graph. */
  class PowerTenant {
    readonly log: string[] = [];
    /** Violations that responses show. */
    readonly found: string[] = [];
    readonly createdBelow = new Map<string, string>();
    readonly mailed = new Set<string>();
    readonly actedAs = new Set<string>();
    readonly callers: Conspirator[];
    readonly model: PowerModel;

    constructor(
      private readonly graph: StoredGraph,
      private readonly worksIn: (caller: Conspirator, organization: string) => boolean,
      private readonly situation: readonly string[],
    ) {
      this.callers = [...graph.conspirators, ...graph.impersonations];
      this.model = new PowerModel(graph.paths, graph.domain, app.config.baseUrl);
      this.model.texts.push(...this.callers.filter(({ kind }) => kind === 'session').map(({ credential }) => credential));
    }

    async send(drawn: DrawnRequest): Promise<void> {
      const random = randomFrom(drawn.seed);
      const { operation, caller, path } = this.choose(drawn, random);
      const body = new BodyWriter(this.model, operation, random).write();
      const text = body === undefined ? undefined : `${JSON.stringify(body)}\n`;
      const isBound = caller.isBound && operation.callers.length > 0;
      const client = new TestClient(app.url, operation.callers.length === 0 || isBound ? undefined : caller.credential);
      const proof = isBound ? await provenHeaders(app, caller.credential, operation.method, path) : {};
      const type: Record<string, string> = text === undefined ? {} : { 'content-type': operation.contentType };
      const response = await client.raw(operation.method, path, text, { ...proof, ...type }).whenServed();
      if (response.status === 500) throw new Error(`${operation.method} ${path} ${text} returned ${response.status}`);
      const count = sent.get(operation.id) ?? { requests: 0, succeeded: 0 };
      sent.set(operation.id, count);
      count.requests++;
      // The credential has ended or works nowhere.
      if (['unauthenticated', 'organization_suspended'].includes(response.body?.code))
        this.callers.splice(this.callers.indexOf(caller), 1);
      if (response.status >= 300) return;
      count.succeeded++;
      if (caller.isImpersonation && operation.callers.length > 0) this.actedAs.add(caller.holder);
      if (caller.kind === 'oauth' && !operation.callers.includes('apiKey') && operation.callers.length > 0)
        this.found.push(`${operation.id} of the own account succeeded as ${caller.name}`);
      this.log.push(
        `${operation.method} ${path} ${text?.trim() ?? ''} as ${operation.callers.length === 0 ? 'anybody' : caller.name}: ${response.status}`,
      );
      if (operation.callers.length === 0 && typeof body?.['email'] === 'string') this.mailed.add(body['email'].toLowerCase());
      await this.learn(operation, path, response);
      if (operation.id === 'requestImpersonation') await this.impersonate(caller, path, response.body.data);
    }

    /** Mostly chooses an operation, a caller and an existing resource so that the caller has the required permission. */
    private choose({ operation: number, caller, resource }: DrawnRequest, random: (below: number) => number) {
      const ofSituation = random(2) === 0 ? operations.filter(({ id }) => this.situation.includes(id)) : [];
      for (let tries = 0; ; tries++) {
        const from = ofSituation.length > 0 && tries < 20 ? ofSituation : operations;
        const operation = from[(number + random(from.length)) % from.length]!;
        const callers = this.callers.filter(({ kind }) => CALLERS[kind].some((each) => operation.callers.includes(each)));
        const isAnybodys = operation.callers.length === 0;
        const path = this.model.randomPath(operation, random);
        if (isAnybodys || (callers.length > 0 && (tries > 60 || (random(20) === 0 && !path.includes(UNKNOWN)))))
          return { operation, caller: (isAnybodys ? this.callers : callers)[caller % (callers.length || 1)]!, path };
        const pairs = this.model
          .pathsFor(operation, random)
          .flatMap((path) =>
            callers
              .filter((each) => this.canTry(each, operation, path, random(4) > 0))
              .map((each) => ({ operation, caller: each, path })),
          );
        if (pairs.length > 0) return pairs[(caller * 31 + resource) % pairs.length]!;
      }
    }

    private canTry(caller: Conspirator, operation: PowerOperation, path: string, asRulesAllow: boolean): boolean {
      const { permission, needsProof } = operation;
      const { grants, borrowed, kind, holder, name } = caller;
      if (kind === 'scim_token') return path.includes(holder);
      const organization = /organizations\/(\w+)/.exec(path)?.[1];
      if (permission === undefined || organization === undefined) return kind !== 'setup_link';
      if (kind === 'oauth' && !asRulesAllow) return true;
      if (caller.isStale && needsProof && asRulesAllow) return false;
      if (kind === 'setup_link' && !SETUP_PATHS.some(([step, part]) => name.includes(step) && path.includes(part))) return false;
      const isDeleted = organization === this.graph.deletedId && !path.endsWith('/restore');
      if (asRulesAllow && (isDeleted || !this.worksIn(caller, organization))) return false;
      const held = [...grants, ...borrowed].filter((grant) => this.isBelow(organization, grant.organization));
      return held.some(({ permissions }) =>
        ['*', permission, permission.replace(/:.*/, ':*')].some((each) => permissions.includes(each)),
      );
    }

    private isBelow(organization: string, ancestor: string): boolean {
      return (
        organization === ancestor ||
        (this.graph.ancestors.get(organization)?.includes(ancestor) ?? this.createdBelow.has(organization))
      );
    }

    /** Adds the resources and credentials of a response. */
    private async learn(operation: PowerOperation, path: string, { body }: TestResponse): Promise<void> {
      const data = body?.data ?? body;
      if (typeof data !== 'object' || data === null) return;
      if (operation.method === 'POST' && typeof data.id === 'string' && !path.endsWith('}')) this.model.add(`${path}/${data.id}`);
      if (typeof data.parentId === 'string' && operation.id === 'createOrganization')
        this.createdBelow.set(data.id, data.parentId);
      const text = JSON.stringify(data);
      if (text.includes('"allowed":true')) await this.assertNotSuspended(path, text);
      for (const [credential] of text.matchAll(/\w+_sk_\w+|scim\.[\w-]{43}|setup\.[\w-]{43}/g)) this.gain(credential, data, path);
      for (const [token] of text.matchAll(/(?<=")[\w-]{43}(?=")/g)) this.model.texts.push(token);
      if (data.type === 'machine' && data.secret) await this.gainClient(data, path);
      if (String(data.id).startsWith('usr_') && String(data.email).endsWith(`@${OWN_DOMAIN}`)) await this.control(data);
      if (path.endsWith('/break-glass') && operation.method === 'POST') await this.approve(`${path}/${data.id}`);
    }

    private async assertNotSuspended(path: string, answer: string): Promise<void> {
      const [suspended] = await app.database.query(
        `SELECT FROM organizations o JOIN organizations s ON s.tenant_id = o.tenant_id AND s.id = ANY (o.ancestor_ids || o.id)
         WHERE o.tenant_id = $1 AND o.id = $2 AND s.status = 'suspended'`,
        [this.graph.tenantId, /organizations\/(\w+)/.exec(path)?.[1]],
      );
      if (suspended) this.found.push(`${path} answered ${answer}, but the organization is suspended`);
    }

    private gain(credential: string, data: { id?: string; scopes?: string[]; steps?: string[] }, path: string): void {
      const kind = credential.startsWith('scim.') ? 'scim_token' : credential.startsWith('setup.') ? 'setup_link' : 'api_key';
      const holder = kind === 'scim_token' ? /scim-connections\/(\w+)/.exec(path)![1]! : String(data.id);
      if (kind === 'scim_token') this.model.add(`/scim/v2/${holder}`);
      const organization = /organizations\/(\w+)/.exec(path)?.[1] ?? '';
      const grants = [{ organization, permissions: kind === 'api_key' ? data.scopes! : ['*'] }];
      this.callers.push({ ...GAINED, holder, kind, credential, grants, name: `gained ${kind} ${holder} ${data.steps ?? ''}` });
    }

    private async gainClient(data: { id: string }, path: string): Promise<void> {
      const token = await requestToken(app, data);
      if (!token) return;
      const grants = [{ organization: /organizations\/(\w+)/.exec(path)![1]!, permissions: token.scopes }];
      const { credential } = token;
      this.callers.push({
        ...GAINED,
        holder: data.id,
        kind: 'oauth_client',
        credential,
        grants,
        name: `gained client ${data.id}`,
      });
    }

    /** The invitation of a new user, or the link for a new email address, was sent to an address of the conspirators. */
    private async control({ id, email, status }: { id: string; email: string; status: string }): Promise<void> {
      if (this.callers.some(({ holder }) => holder === id)) return;
      const { tenantId } = this.graph;
      const [user] = await app.database.query<{ at: string }>('SELECT organization_id AS at FROM users WHERE id = $1', [id]);
      if (status === 'pending') await app.api.platform.post(`/v1/organizations/${user!.at}/users/${id}/activate`);
      const { token } = await openSession(app, { id, email, tenantId }, user!);
      const everywhere = [{ organization: tenantId, permissions: ['*'] }];
      const name = `controlled ${id}`;
      this.callers.push({ ...GAINED, holder: id, kind: 'session', credential: token, grants: everywhere, name });
    }

    /** The caller signs in as the user for support, and then acts in this session, too. */
    private async impersonate(caller: Conspirator, path: string, data: { id: string; userId: string; organizationId: string }) {
      const start = `/v1/organizations/${data.organizationId}/impersonations/${data.id}/start`;
      const { status, body } = await app.api.as(caller.credential).post(start);
      if (status !== 201) return;
      const grants = [{ organization: this.graph.tenantId, permissions: ['*'] }];
      const name = `${caller.name} as ${data.userId}`;
      const session = { holder: data.userId, kind: 'session', credential: body.data.sessionToken, grants, name } as const;
      this.callers.push({ ...GAINED, ...session, isImpersonation: true });
      this.log.push(`POST ${start} as ${caller.name}: ${status}, requested by ${path}`);
    }

    private async approve(path: string): Promise<void> {
      await app.api.as(this.graph.ownerToken).post(`${path}/approve`);
    }
  }

  const GAINED = { borrowed: [], ruledBy: [], isStale: false, hasOneFactor: false, isFederated: false };

  it(
    'give nobody permissions that the callers could not grant, and take none from users with higher privileges',
    async () => {
      process.stdout.write(`SEED=${SEED}\n`);
      let graphs = 0;
      const requests = fc.array(drawnRequest, { minLength: 1, maxLength: 14, size: 'max' });
      await fc.assert(
        fc.asyncProperty(powerGraph, requests, async (drawn, steps) => {
          graphs++;
          const graph = await storeGraph(app, drawn, passwordHash);
          const before = await takeSnapshot(app, graph.tenantId);
          const invariants = new PowerInvariants(before, graph.conspirators);
          const works = (caller: Conspirator, organization: string) => invariants.worksIn(caller, organization);
          const tenant = new PowerTenant(graph, works, drawn.situation ? SITUATIONS[drawn.situation].operations : []);
          tenant.model.emails.push(...before.users.map(({ email }) => email));
          tenant.model.userNames.push(...before.users.flatMap(({ email, status }) => (status === 'deleted' ? [email] : [])));
          for (const each of steps) if (tenant.callers.length > 0) await tenant.send(each);
          const after = await takeSnapshot(app, graph.tenantId);
          const found = [...tenant.found, ...invariants.violations(after, tenant)];
          found.push(...(await grantsThatOutlive(app, graph.tenantId, graph.tokens)));
          if (found.length > 0) throw new Error([...tenant.log, ...found].join('\n'));
        }),
        { numRuns: GRAPHS, seed: SEED, includeErrorInReport: true },
      );
      const all = [...sent.values()];
      const total = all.reduce((sum, each) => sum + each.requests, 0);
      const succeeded = all.reduce((sum, each) => sum + each.succeeded, 0);
      const never = [...sent].filter(([, each]) => each.succeeded === 0).map(([id]) => id);
      process.stdout.write(
        `${graphs} graphs, ${total} requests of ${sent.size} of ${new Set(operations).size} operations, ${Math.round((100 * succeeded) / total)} % succeeded\nnever: ${never.join(' ')}\n`,
      );
      // A quarter succeeds on average. The test proves nothing if the service rejects all requests.
      expect(succeeded).toBeGreaterThan(total / 6);
    },
    LONG_TEST_MS,
  );
});
