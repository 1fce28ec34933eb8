import type { Random } from '../../faults/random.js';
import type { TestApp } from '../../support/app.js';
import type { TestBody, TestResponse } from '../../support/http-client.js';
import { activeUser, login } from '../../support/sign-in.js';
import { type SignedIn, signedIn } from '../../support/signed-in.js';

const SIGNER = 'signer@example.com';

/** Makes random changes in two tenants: a tree of organizations, and the tenant of the guests. */
export class RandomChanges {
  readonly organizations: string[] = [];
  readonly users: string[] = [];
  readonly roles: string[] = [];
  readonly groups: string[] = [];
  /** The paths of the groups. */
  private readonly groupPaths: string[] = [];
  private requester!: SignedIn;
  private approver!: SignedIn;
  private accessRequest: string | undefined;
  private next = 0;

  constructor(
    private readonly app: TestApp,
    private readonly random: Random,
  ) {}

  async start(): Promise<void> {
    await this.createOrganization();
    await this.createOrganization(this.root);
    await this.createOrganization();
    this.requester = await signedIn(this.app, this.root, { roles: ['admin'] });
    this.approver = await signedIn(this.app, this.root, { roles: ['owner'] });
    this.users.push(this.requester.id, (await activeUser(this.app, this.root, { email: SIGNER })).id);
    for (let count = 0; count < 3; count++) await this.createUser();
    await this.createGroup(`/v1/organizations/${this.root}`);
    await this.app.api.platform.post(`${this.groupPaths[0]}/members`, { userIds: [this.requester.id] }).expect(200);
  }

  /** Makes one change. Returns its name. Changes that the service refuses are allowed: they change nothing. */
  async run(): Promise<string> {
    const change = this.random.pick(CHANGES);
    await this[change]();
    return change;
  }

  private get root(): string {
    return this.organizations[0]!;
  }

  private pick(): { at: string; user: string; role: string } {
    const at = this.random.pick(this.organizations);
    return {
      at: `/v1/organizations/${at}`,
      user: this.random.pick(this.users),
      role: this.random.pick(['member', 'admin', 'viewer', ...this.roles]),
    };
  }

  private async add(ids: string[], sent: Promise<TestResponse>): Promise<void> {
    const { status, body } = await sent;
    if (status === 201) ids.push(body.data.id);
  }

  async createOrganization(parentId?: string): Promise<void> {
    const fields = { name: `Organization ${++this.next}`, parentId };
    await this.add(this.organizations, this.app.api.platform.post('/v1/organizations', fields));
  }

  async createChild(): Promise<void> {
    if (this.organizations.length < 6) await this.createOrganization(this.random.pick(this.organizations));
    else await this.renameOrganization();
  }

  async createUser(): Promise<void> {
    const { at, role } = this.pick();
    const fields = { email: `user-${++this.next}@example.com`, firstName: 'User', roles: ['viewer', role] };
    await this.add(this.users, this.app.api.platform.post(`${at}/users`, fields));
  }

  async importUsers(): Promise<void> {
    const lines = [1, 2].map(() => JSON.stringify({ email: `user-${++this.next}@example.com`, firstName: 'Imported' }));
    const known = JSON.stringify({ email: `user-${this.random.between(4, this.next)}@example.com`, lastName: `N${this.next}` });
    await this.app.api.platform.raw('POST', `${this.pick().at}/users/import?mode=upsert`, [...lines, known].join('\n'), {
      'content-type': 'application/x-ndjson',
    });
  }

  async updateUser(): Promise<void> {
    const { at, user } = this.pick();
    const fields: TestBody = { displayName: `Name ${++this.next}`, metadata: { step: this.next } };
    if (this.random.chance(0.3)) fields.email = `user-${this.next}@example.com`;
    await this.app.api.platform.patch(`${at}/users/${user}`, fields);
  }

  async changeStatus(): Promise<void> {
    const { at, user } = this.pick();
    const change = this.random.pick(['suspend', 'activate', 'activate', 'restore']);
    const body = change === 'suspend' ? { reason: `Reason ${++this.next}` } : undefined;
    await this.app.api.platform.post(`${at}/users/${user}/${change}`, body);
  }

  async deleteUser(): Promise<void> {
    const { at, user } = this.pick();
    await this.app.api.platform.delete(`${at}/users/${user}`);
  }

  async addMember(): Promise<void> {
    const { at, user, role } = this.pick();
    await this.app.api.platform.post(`${at}/members`, { userId: user, role });
  }

  async removeMember(): Promise<void> {
    const { at, user } = this.pick();
    await this.app.api.platform.delete(`${at}/members/${user}`);
  }

  async assignRole(): Promise<void> {
    const { at, user, role } = this.pick();
    await this.app.api.platform.post(`${at}/users/${user}/roles`, { roleId: role });
  }

  async revokeRole(): Promise<void> {
    const { at, user, role } = this.pick();
    await this.app.api.platform.delete(`${at}/users/${user}/roles/${role}`);
  }

  async createRole(): Promise<void> {
    const fields = { name: this.random.pick(['editor', `role-${++this.next}`]), permissions: ['invoices:read'] };
    await this.add(this.roles, this.app.api.platform.post(`${this.pick().at}/roles`, fields));
  }

  async updateRole(): Promise<void> {
    const { at, role } = this.pick();
    const permissions = this.random.pick([['invoices:*'], ['users:read', 'invoices:read'], []]);
    await this.app.api.platform.patch(`${at}/roles/${role}`, { description: `Version ${++this.next}`, permissions });
  }

  async deleteRole(): Promise<void> {
    const { at, role } = this.pick();
    const replacement = this.random.pick(['', '?reassignTo=member', `?reassignTo=${this.pick().role}`]);
    await this.app.api.platform.delete(`${at}/roles/${role}${replacement}`);
  }

  async createGroup(at = this.pick().at): Promise<void> {
    const { status, body } = await this.app.api.platform.post(`${at}/groups`, { name: `Group ${++this.next}` });
    if (status !== 201) return;
    this.groups.push(body.data.id);
    this.groupPaths.push(`${at}/groups/${body.data.id}`);
  }

  async changeGroup(): Promise<void> {
    const path = this.random.pick(this.groupPaths);
    if (this.random.chance(0.1)) await this.app.api.platform.delete(path);
    else await this.app.api.platform.patch(path, { name: `Group ${++this.next}`, externalId: `g-${this.next}` });
  }

  async changeGroupMember(): Promise<void> {
    const path = `${this.random.pick(this.groupPaths)}/members`;
    const { user } = this.pick();
    if (this.random.chance(0.3)) await this.app.api.platform.delete(`${path}/${user}`);
    else await this.app.api.platform.post(path, { userIds: [user] });
  }

  async changeGroupRole(): Promise<void> {
    const path = `${this.random.pick(this.groupPaths)}/roles`;
    const { role } = this.pick();
    if (this.random.chance(0.3)) await this.app.api.platform.delete(`${path}/${role}`);
    else await this.app.api.platform.post(path, { roleId: role });
  }

  async renameOrganization(): Promise<void> {
    await this.app.api.platform.patch(this.pick().at, { name: `Renamed ${++this.next}`, metadata: { step: this.next } });
  }

  async changeSettings(): Promise<void> {
    const settings = {
      sessionTimeout: this.random.between(600, 7_200),
      passwordPolicy: { minLength: this.random.between(8, 20) },
    };
    const lockedSettings = this.random.pick([[], ['sessionTimeout'], ['passwordPolicy']]);
    await this.app.api.platform.patch(this.pick().at, { settings, lockedSettings });
  }

  async changeOrganizationStatus(): Promise<void> {
    const { at } = this.pick();
    const change = this.random.pick(['suspend', 'activate', 'activate', 'restore', 'restore']);
    await this.app.api.platform.post(`${at}/${change}`, change === 'suspend' ? { reason: 'Unpaid' } : undefined);
  }

  async deleteOrganization(): Promise<void> {
    if (this.random.chance(0.5)) await this.app.api.platform.delete(`${this.pick().at}?cascade=true`);
    else await this.changeOrganizationStatus();
  }

  async moveOrganization(): Promise<void> {
    await this.app.api.platform.post(`${this.pick().at}/move`, { parentId: this.random.pick(this.organizations) });
  }

  async createIdentityProvider(): Promise<void> {
    const fields = {
      name: `Provider ${++this.next}`,
      type: 'oidc',
      issuer: `https://id-${this.next}.example.com`,
      clientId: 'c',
      clientSecret: 's',
    };
    await this.app.api.platform.post(`${this.pick().at}/identity-providers`, fields);
  }

  async signIn(): Promise<void> {
    await login(this.app, this.root, SIGNER);
  }

  async changeBreakGlass(): Promise<void> {
    const path = `/v1/organizations/${this.root}/break-glass`;
    if (this.accessRequest === undefined) {
      const body = { reason: 'Production is down and no owner can be reached', durationSeconds: 3_600 };
      const response = await this.requester.client.post(path, body);
      this.accessRequest = response.body.data?.id;
      if (this.accessRequest) await this.approver.client.post(`${path}/${this.accessRequest}/approve`);
    } else {
      await this.app.api.platform.post(`${path}/${this.accessRequest}/end`);
      this.accessRequest = undefined;
    }
  }

  /** Restores deleted organizations, because only existing organizations can be read. */
  async restoreOrganizations(): Promise<void> {
    for (const id of this.organizations) await this.app.api.platform.post(`/v1/organizations/${id}/restore`);
  }
}

const CHANGES = [
  'createChild',
  'createUser',
  'createUser',
  'importUsers',
  'updateUser',
  'updateUser',
  'changeStatus',
  'changeStatus',
  'deleteUser',
  'addMember',
  'addMember',
  'removeMember',
  'assignRole',
  'assignRole',
  'revokeRole',
  'createRole',
  'updateRole',
  'deleteRole',
  'createGroup',
  'changeGroup',
  'changeGroupMember',
  'changeGroupMember',
  'changeGroupMember',
  'changeGroupRole',
  'changeGroupRole',
  'renameOrganization',
  'changeSettings',
  'changeOrganizationStatus',
  'deleteOrganization',
  'moveOrganization',
  'moveOrganization',
  'createIdentityProvider',
  'signIn',
  'changeBreakGlass',
] as const satisfies readonly (keyof RandomChanges)[];
