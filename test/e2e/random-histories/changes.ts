import type { Random } from '../../faults/random.js';
import type { TestApp } from '../../support/app.js';
import type { TestResponse } from '../../support/http-client.js';
import { activeUser, login } from '../../support/sign-in.js';
import { type SignedIn, signedIn } from '../../support/signed-in.js';

const SIGNER = 'signer@example.com';
/** These changes are made more often than others. */
const FREQUENT =
  'createUser updateUser changeStatus addMember assignRole changeGroupMember changeGroupRole moveOrganization'.split(' ');

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
    const changes = this.changes();
    const name = this.random.pick([...Object.keys(changes), ...FREQUENT]);
    await changes[name as keyof typeof changes]();
    return name;
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

  private async createOrganization(parentId?: string): Promise<void> {
    const fields = { name: `Organization ${++this.next}`, parentId };
    await this.add(this.organizations, this.app.api.platform.post('/v1/organizations', fields));
  }

  private async createUser(): Promise<void> {
    const { at, role } = this.pick();
    const fields = { email: `user-${++this.next}@example.com`, firstName: 'User', roles: ['viewer', role] };
    await this.add(this.users, this.app.api.platform.post(`${at}/users`, fields));
  }

  private async createGroup(at: string): Promise<void> {
    const { status, body } = await this.app.api.platform.post(`${at}/groups`, { name: `Group ${++this.next}` });
    if (status !== 201) return;
    this.groups.push(body.data.id);
    this.groupPaths.push(`${at}/groups/${body.data.id}`);
  }

  private changes() {
    const { random } = this;
    const { platform } = this.app.api;
    const { at, user, role } = this.pick();
    const group = random.pick(this.groupPaths);
    const number = ++this.next;
    const renameOrganization = (): Promise<unknown> =>
      platform.patch(at, { name: `Renamed ${number}`, metadata: { step: number } });
    const changeOrganizationStatus = (): Promise<unknown> => {
      const change = random.pick(['suspend', 'activate', 'activate', 'restore', 'restore']);
      return platform.post(`${at}/${change}`, change === 'suspend' ? { reason: 'Unpaid' } : undefined);
    };
    return {
      createChild: () =>
        this.organizations.length < 6 ? this.createOrganization(random.pick(this.organizations)) : renameOrganization(),
      createUser: () => this.createUser(),
      importUsers: () => {
        const lines = [1, 2].map(() => JSON.stringify({ email: `user-${++this.next}@example.com`, firstName: 'Imported' }));
        const known = JSON.stringify({ email: `user-${random.between(4, this.next)}@example.com`, lastName: `N${this.next}` });
        const type = { 'content-type': 'application/x-ndjson' };
        return platform.raw('POST', `${at}/users/import?mode=upsert`, [...lines, known].join('\n'), type);
      },
      updateUser: () => {
        const email = random.chance(0.3) ? { email: `user-${number}@example.com` } : {};
        return platform.patch(`${at}/users/${user}`, { displayName: `Name ${number}`, metadata: { step: number }, ...email });
      },
      changeStatus: () => {
        const change = random.pick(['suspend', 'activate', 'activate', 'restore']);
        return platform.post(`${at}/users/${user}/${change}`, change === 'suspend' ? { reason: `Reason ${number}` } : undefined);
      },
      deleteUser: () => platform.delete(`${at}/users/${user}`),
      addMember: () => platform.post(`${at}/members`, { userId: user, role }),
      removeMember: () => platform.delete(`${at}/members/${user}`),
      assignRole: () => platform.post(`${at}/users/${user}/roles`, { roleId: role }),
      revokeRole: () => platform.delete(`${at}/users/${user}/roles/${role}`),
      createRole: () => {
        const fields = { name: random.pick(['editor', `role-${number}`]), permissions: ['invoices:read'] };
        return this.add(this.roles, platform.post(`${at}/roles`, fields));
      },
      updateRole: () => {
        const permissions = random.pick([['invoices:*'], ['users:read', 'invoices:read'], []]);
        return platform.patch(`${at}/roles/${role}`, { description: `Version ${number}`, permissions });
      },
      deleteRole: () => {
        const replacement = random.pick(['', '?reassignTo=member', `?reassignTo=${this.pick().role}`]);
        return platform.delete(`${at}/roles/${role}${replacement}`);
      },
      createGroup: () => this.createGroup(at),
      changeGroup: () =>
        random.chance(0.1)
          ? platform.delete(group)
          : platform.patch(group, { name: `Group ${number}`, externalId: `g-${number}` }),
      changeGroupMember: () =>
        random.chance(0.3) ? platform.delete(`${group}/members/${user}`) : platform.post(`${group}/members`, { userIds: [user] }),
      changeGroupRole: () =>
        random.chance(0.3) ? platform.delete(`${group}/roles/${role}`) : platform.post(`${group}/roles`, { roleId: role }),
      renameOrganization,
      changeSettings: () => {
        const passwordPolicy = { minLength: random.between(8, 20) };
        const lockedSettings = random.pick([[], ['sessionTimeout'], ['passwordPolicy']]);
        return platform.patch(at, { settings: { sessionTimeout: random.between(600, 7_200), passwordPolicy }, lockedSettings });
      },
      changeOrganizationStatus,
      deleteOrganization: () => (random.chance(0.5) ? platform.delete(`${at}?cascade=true`) : changeOrganizationStatus()),
      moveOrganization: () => platform.post(`${at}/move`, { parentId: random.pick(this.organizations) }),
      createIdentityProvider: () => {
        const issuer = `https://id-${number}.example.com`;
        const fields = { name: `Provider ${number}`, type: 'oidc', issuer, clientId: 'c', clientSecret: 's' };
        return platform.post(`${at}/identity-providers`, fields);
      },
      signIn: () => login(this.app, this.root, SIGNER),
      changeBreakGlass: async () => {
        const path = `/v1/organizations/${this.root}/break-glass`;
        if (this.accessRequest === undefined) {
          const body = { reason: 'Production is down and no owner can be reached', durationSeconds: 3_600 };
          const response = await this.requester.client.post(path, body);
          this.accessRequest = response.body.data?.id;
          if (this.accessRequest) await this.approver.client.post(`${path}/${this.accessRequest}/approve`);
        } else {
          await platform.post(`${path}/${this.accessRequest}/end`);
          this.accessRequest = undefined;
        }
      },
    };
  }

  /** Restores deleted organizations, because only existing organizations can be read. */
  async restoreOrganizations(): Promise<void> {
    for (const id of this.organizations) await this.app.api.platform.post(`/v1/organizations/${id}/restore`);
  }
}
