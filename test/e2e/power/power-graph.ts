import { generateApiKey, hashToken, randomToken } from '#platform/crypto';
import { newId } from '#platform/common';
import { BUILT_IN_ROLES } from '#directory/roles';
import type { TestApp } from '../../support/app.js';
import { insertRows } from '../../support/insert-rows.js';
import { APPLICATION_PERMISSIONS, OTHER_NETWORK, type PowerGraph, TOKENS } from './drawn-graph.js';
import { SITUATIONS } from './power-situations.js';
import { borrow, type Exchange, machineToken, passedOnToken, THUMBPRINT, type UserToken, userToken } from './power-rows.js';

export interface Grant {
  readonly organization: string;
  readonly permissions: readonly string[];
}

/** A credential with which the conspirators send requests. */
export interface Conspirator {
  /** The ID of the user, API key, SCIM connection or setup link. */
  readonly holder: string;
  /** `oauth` is an access token of a user, `oauth_client` of a machine client. */
  readonly kind: 'session' | 'api_key' | 'scim_token' | 'setup_link' | 'oauth' | 'oauth_client';
  readonly credential: string;
  readonly name: string;
  readonly grants: readonly Grant[];
  /** What break-glass access grants. */
  readonly borrowed: readonly Grant[];
  /** The organizations whose rules apply to every request of a session. */
  readonly ruledBy: readonly string[];
  readonly isStale: boolean;
  readonly hasOneFactor: boolean;
  readonly isFederated: boolean;
  /** Whether the token is bound to the key of `provenHeaders`. */
  readonly isBound?: boolean;
  /** Whether somebody acts as the holder. */
  readonly isImpersonation?: boolean;
}

export interface StoredGraph {
  readonly tenantId: string;
  readonly conspirators: readonly Conspirator[];
  /** Sessions in which conspirators act as other users, who can have more power. They add nothing to what the conspirators can do. */
  readonly impersonations: readonly Conspirator[];
  /** The paths of all resources in the API. */
  readonly paths: readonly string[];
  readonly domain: string;
  /** The session token of an owner of the root organization. */
  readonly ownerToken: string;
  readonly deletedId: unknown;
  readonly tokens: readonly UserToken[];
  /** The IDs of the ancestors by organization. */
  readonly ancestors: ReadonlyMap<string, readonly string[]>;
}

type Row = Record<string, unknown>;
const pick = <T>(from: readonly T[], number: number): T => from[number % from.length]!;
const hashed = (token: string): string => `\\x${hashToken(token).toString('hex')}`;

/** Collects the rows of a tenant. */
class GraphRows {
  readonly tables: Record<string, Row[]> = {};
  readonly paths: string[] = [];
  readonly organizations: { id: string; path: readonly string[] }[] = [];
  readonly roles: { id: string; organization: string; permissions: readonly string[] }[] = [];
  readonly impersonations: Conspirator[] = [];
  /** Exchanges of stored tokens, by the token. */
  readonly exchanges = new Map<string, Exchange>();
  readonly tenant_id = newId('organization');
  readonly domain = `${this.tenant_id.slice(-12)}.example`;
  readonly now = new Date();
  private readonly times = { created_at: this.now, updated_at: this.now };
  private people = 0;

  add(table: string, row: Row): void {
    (this.tables[table] ??= []).push({ tenant_id: this.tenant_id, ...row });
  }

  at(organization: string, rest = ''): string {
    return `/v1/organizations/${organization}${rest}`;
  }

  organization(parent: number, changes: Row = {}): string {
    const id = this.organizations.length === 0 ? this.tenant_id : newId('organization');
    const above = this.organizations.length === 0 ? [] : pick(this.organizations, parent).path;
    const place = { id, parent_id: above.at(-1) ?? null, ancestor_ids: above, name: `Organization ${this.organizations.length}` };
    const state = { status: 'active', deleted_at: null, deletion_root_id: null, settings_overrides: {}, locked_settings: [] };
    this.add('organizations', { ...place, slug: id, ...state, ...this.times, ...changes });
    this.add('organization_handles', { handle: id, organization_id: id });
    this.organizations.push({ id, path: [...above, id] });
    this.paths.push(this.at(id));
    return id;
  }

  role(organization: string, permissions: readonly string[]): string {
    const id = newId('role');
    const name = `role ${this.roles.length}`;
    this.add('roles', { id, organization_id: organization, name, name_key: name, permissions, ...this.times });
    this.roles.push({ id, organization, permissions });
    this.paths.push(this.at(organization, `/roles/${id}`));
    return id;
  }

  person(organization: string, status: string, managedBy: string | null = null, isConfirmed = status !== 'pending'): string {
    const id = newId('user');
    const email = `person-${++this.people}@${this.domain}`;
    this.add('users', {
      id,
      organization_id: organization,
      email,
      email_key: email,
      email_verified: status !== 'pending',
      email_confirmed: isConfirmed,
      external_id: status === 'deleted' ? 'shared' : null,
      managed_by: managedBy,
      status,
      status_before_deletion: status === 'deleted' ? 'active' : null,
      deleted_at: status === 'deleted' ? this.now : null,
      suspended_at: status === 'suspended' ? this.now : null,
      ...this.times,
    });
    if (managedBy) {
      const names = {
        user_name: email,
        user_name_key: email,
        email_keys: [email],
        attributes: {},
        reserves_name: status !== 'deleted',
      };
      this.add('scim_users', { user_id: id, connection_id: managedBy, ...names, updated_at: this.now });
      this.paths.push(`/scim/v2/${managedBy}/Users/${id}`);
    }
    this.paths.push(this.at(organization, `/users/${id}`));
    this.entry(organization, id, organization, status, false);
    return id;
  }

  /** The membership of a user, with the first role. Other roles are explicit. */
  assign(organization: string, user: string, role: string): void {
    const person = this.tables['users']!.find(({ id }) => id === user)!;
    const key = { organization_id: organization, user_id: user };
    const same = (row: Row): boolean => row['organization_id'] === organization && row['user_id'] === user;
    const isMember = (this.tables['memberships'] ?? []).some(same);
    if ((this.tables['role_assignments'] ?? []).some((row) => same(row) && row['role_id'] === role)) return;
    if (!isMember) {
      const times = { joined_at: this.now, updated_at: this.now };
      this.add('memberships', { ...key, user_tenant_id: this.tenant_id, role_id: role, announced: true, ...times });
      this.paths.push(this.at(organization, `/members/${user}`), this.at(organization, `/users/${user}`));
      this.entry(organization, user, String(person['organization_id']), String(person['status']), true);
    }
    const assigned = { explicit: isMember, user_status: person['status'], assigned_at: this.now };
    this.add('role_assignments', { ...key, role_id: role, ...assigned });
    this.paths.push(this.at(organization, `/users/${user}/roles/${role}`));
  }

  session(
    user: string,
    organization: string,
    methods: readonly string[],
    isStale: boolean,
    impersonator: Row | null = null,
  ): string {
    const id = newId('session');
    const token = randomToken();
    const old = new Date(this.now.getTime() - 11 * 60_000);
    this.add('sessions', {
      id,
      user_id: user,
      organization_id: organization,
      token_hash: hashed(token),
      authentication_methods: methods,
      enrolment_only: false,
      impersonator,
      created_at: isStale ? old : this.now,
      authenticated_at: isStale ? old : this.now,
      last_seen_at: this.now,
      expires_at: new Date(this.now.getTime() + 86_400_000),
      longest_idle_seconds: 0,
      revoked_at: null,
    });
    this.token('session', id, token);
    const managedBy = this.tables['users']!.find((row) => row['id'] === user)!['organization_id'];
    this.paths.push(this.at(String(managedBy), `/users/${user}/sessions/${id}`), `/v1/auth/sessions/${id}`);
    return token;
  }

  password(user: string, hash: string): void {
    this.add('user_credentials', { user_id: user, password_hash: hash, password_changed_at: this.now });
  }

  apiKey(organization: string, scopes: readonly string[], serviceName: string): Pick<Conspirator, 'holder' | 'credential'> {
    const id = newId('apiKey');
    const { key, prefix, last4 } = generateApiKey(serviceName);
    const made = { name: 'k', prefix, last4, source: 'api', created_by_type: 'system', permissions_used: {} };
    this.add('api_keys', { id, organization_id: organization, scopes, ...made, created_at: this.now });
    this.token('api_key', id, key);
    this.paths.push(this.at(organization, `/api-keys/${id}`));
    return { holder: id, credential: key };
  }

  token(kind: string, subject_id: string, token: string): void {
    this.add('token_hashes', { kind, subject_id, hash: hashed(token) });
  }

  group(organization: string, role: string, managedBy: string | null): string {
    const id = newId('group');
    const name = `group ${this.tables['groups']?.length ?? 0}`;
    const names = { name, name_key: name, search_text: name, managed_by: managedBy };
    this.add('groups', { id, organization_id: organization, ...names, ...this.times });
    const assigned = { organization_id: organization, assigned_at: this.now, assigned_by_type: 'system' };
    this.add('group_role_assignments', { group_id: id, role_id: role, ...assigned });
    this.paths.push(this.at(organization, `/groups/${id}`), this.at(organization, `/groups/${id}/roles/${role}`));
    if (managedBy) this.paths.push(`/scim/v2/${managedBy}/Groups/${id}`);
    return id;
  }

  join(group: string, user: string, role: string): void {
    const organization = String(this.tables['groups']!.find(({ id }) => id === group)!['organization_id']);
    this.assign(organization, user, role);
    const added = { organization_id: organization, added_at: this.now, added_by_type: 'system' };
    this.add('group_members', { group_id: group, user_id: user, ...added });
    this.paths.push(this.at(organization, `/groups/${group}/members/${user}`));
  }

  private entry(organization: string, user: string, managing: string, status: string, isMember: boolean): void {
    const key = { organization_id: organization, user_id: user, user_tenant_id: this.tenant_id };
    const existing = (this.tables['directory_entries'] ?? []).find(
      (row) => row['organization_id'] === organization && row['user_id'] === user,
    );
    if (existing) existing['member'] ||= isMember;
    else {
      const flags = { managed: organization === managing, member: isMember, status, email_key: user, search_text: user };
      this.add('directory_entries', { ...key, user_organization_id: managing, ...flags });
    }
  }
}

/** Stores a graph with one statement, as if requests had created the rows. */
export async function storeGraph(app: TestApp, drawn: PowerGraph, passwordHash: string): Promise<StoredGraph> {
  const graph = drawn.situation ? SITUATIONS[drawn.situation].shape(drawn) : drawn;
  const rows = new GraphRows();
  rows.add('event_streams', {});
  const root = rows.organization(0);
  const verified = newId('domain');
  const verifiedDomain = { name: rows.domain, token: 't', status: 'verified', verified_at: rows.now, created_at: rows.now };
  rows.add('domains', { id: verified, organization_id: root, ...verifiedDomain, updated_at: rows.now });
  rows.add('verified_domains', { name: rows.domain, organization_id: root, domain_id: verified });
  rows.paths.push(rows.at(root, `/domains/${verified}`));
  graph.organizations.forEach(({ parent }) => rows.organization(parent));
  for (const { organization, permissions } of graph.roles) rows.role(pick(rows.organizations, organization).id, permissions);
  addSettings(rows, graph);
  const deletedId = rows.tables['organizations']!.find((row) => row['deleted_at'] !== null)?.['id'];
  const provider = addProvider(rows, pick(rows.organizations, graph.deleted + 1).id);
  const connection = addConnection(rows, pick(rows.organizations, graph.deleted).id, graph.allowsLocalChanges);
  const groups = graph.groups.map(({ organization, role, isProvisioned }) => {
    const at = isProvisioned ? connection.organization : pick(rows.organizations, organization).id;
    const id = visibleRole(rows, at, role);
    return { id: rows.group(at, id, isProvisioned ? connection.id : null), organization: at, role: id };
  });
  const owner = rows.person(root, 'active');
  rows.assign(root, owner, 'role_owner');
  const ownerToken = rows.session(owner, root, ['password', 'totp'], false);
  const tokens = [userToken(rows, app, owner, root, ['*'])];
  rows.apiKey(pick(rows.organizations, graph.deleted).id, ['*'], app.config.serviceName);
  for (const person of graph.people) tokens.push(...addPerson(app, rows, person, { provider, connection, groups, passwordHash }));
  const conspirators = graph.conspirators.map((each) => addConspirator(app, rows, each, { connection, groups, passwordHash }));
  await insertRows(app.database, rows.tables);
  const exchanged = conspirators.map(async (each) => {
    const { credential, scopes } = (await rows.exchanges.get(each.credential)?.()) ?? { credential: each.credential, scopes: [] };
    if (!scopes.every((scope) => each.name.includes(scope))) throw new Error(`${each.name} got more scopes: ${scopes.join(' ')}`);
    return { ...each, credential };
  });
  const ancestors = new Map(rows.organizations.map(({ id, path }) => [id, path.slice(0, -1)]));
  return {
    tenantId: rows.tenant_id,
    conspirators: await Promise.all(exchanged),
    impersonations: rows.impersonations,
    tokens,
    paths: rows.paths,
    domain: rows.domain,
    ancestors,
    ownerToken,
    deletedId,
  };
}

/** Returns a role that is visible in an organization: a built-in role or a role of the organization or an ancestor. */
function visibleRole(
  { organizations, roles }: GraphRows,
  at: string,
  number: number,
  strong = ['role_owner', 'role_admin'],
): string {
  const { path } = organizations.find(({ id }) => id === at)!;
  const visible = roles.filter(({ organization }) => path.includes(organization)).map(({ id }) => id);
  return pick([...strong, 'role_viewer', 'role_member', ...visible, ...visible, ...visible], number);
}

function addSettings(rows: GraphRows, graph: PowerGraph): void {
  const organizations = rows.tables['organizations']!;
  graph.organizations.forEach(({ settings, isSuspended }, index) => {
    const row = organizations[index + 1]!;
    const { requireMfa, isNetworkLimited, ssoRequired, defaultRole, isLocked } = settings;
    row['settings_overrides'] = {
      ...(requireMfa && { requireMfa }),
      ...(isNetworkLimited && { allowedNetworks: [OTHER_NETWORK] }),
      ...(ssoRequired && { ssoRequired }),
      ...(defaultRole !== null && { defaultRole: visibleRole(rows, String(row['id']), defaultRole) }),
    };
    if (isLocked) row['locked_settings'] = ['requireMfa', 'allowedNetworks'];
    if (isSuspended) row['status'] = 'suspended';
  });
  const deleted = organizations[graph.deleted % organizations.length]!;
  const isLeaf = !organizations.some((row) => row['parent_id'] === deleted['id']);
  if (!isLeaf || deleted === organizations[0] || graph.deleted % 5 > 0) return;
  Object.assign(deleted, { deleted_at: rows.now, deletion_root_id: deleted['id'] });
}

function addProvider(rows: GraphRows, organization: string): { id: string; organization: string } {
  const id = newId('identityProvider');
  const trust = { trusted_domains: [rows.domain], mfa_trusted: true, exempt_domains: [] };
  const configuration = { issuer: 'https://login.example.com', clientId: 'client', scopes: ['openid'] };
  const provider = { id, name: 'Login', type: 'oidc', enabled: true, configuration, ...trust };
  rows.add('identity_providers', { ...provider, organization_id: organization, created_at: rows.now, updated_at: rows.now });
  rows.paths.push(rows.at(organization, `/identity-providers/${id}`));
  return { id, organization };
}

function addConnection(
  rows: GraphRows,
  organization: string,
  allow_local_changes: boolean,
): { id: string; organization: string } {
  const id = newId('scimConnection');
  const limits = { adopt_existing_users: true, allow_local_changes, mode: 'active', created_at: rows.now };
  rows.add('scim_connections', { id, organization_id: organization, name: 'Directory', ...limits, updated_at: rows.now });
  rows.paths.push(rows.at(organization, `/scim-connections/${id}`), `/scim/v2/${id}`);
  return { id, organization };
}

type Fixed = Readonly<Record<'id' | 'organization', string>>;
interface Shared {
  readonly passwordHash: string;
  readonly connection: Fixed;
  readonly groups: readonly (Fixed & { readonly role: string })[];
}

function addPerson(
  app: TestApp,
  rows: GraphRows,
  { organization, assignments, group, status, isProvisioned, isLinked, isUnconfirmed }: PowerGraph['people'][number],
  { provider, connection, groups, passwordHash }: Shared & { readonly provider: Fixed },
): UserToken[] {
  const managing = isProvisioned ? connection.organization : pick(rows.organizations, organization).id;
  const id = rows.person(managing, status, isProvisioned ? connection.id : null, status !== 'pending' && !isUnconfirmed);
  if (isUnconfirmed) rows.password(id, passwordHash);
  for (const { organization, role } of assignments) {
    const at = pick(rows.organizations, organization).id;
    rows.assign(at, id, visibleRole(rows, at, role));
  }
  if (group !== null) rows.join(pick(groups, group).id, id, 'role_member');
  if (status === 'active') rows.session(id, managing, ['password', 'totp'], false);
  if (isLinked) {
    const identity = { identity_provider_id: provider.id, issuer: 'https://login.example.com', external_id: id };
    rows.add('user_identities', { user_id: id, ...identity, provider: 'Login', created_at: rows.now });
    rows.paths.push(rows.at(managing, `/users/${id}/identities/${provider.id}`));
  }
  const at = pick(rows.organizations, assignments[0]!.organization).id;
  return status === 'active' ? [userToken(rows, app, id, at, ['*'])] : [];
}

const STEP_PERMISSIONS = {
  domain: ['domains:read', 'domains:write'],
  sso: ['*'],
  scim: ['*'],
  webhook: ['webhooks:read', 'webhooks:write', 'events:read'],
} as const;

function addConspirator(
  app: TestApp,
  rows: GraphRows,
  drawn: PowerGraph['conspirators'][number],
  { connection, groups, passwordHash }: Shared,
): Conspirator {
  const organization = pick(rows.organizations, drawn.organization).id;
  const permissions = [...drawn.permissions, ...(drawn.kind === 'impersonation' ? IMPERSONATORS_PERMISSIONS : [])];
  const grants = [{ organization, permissions }];
  const plain = { grants, borrowed: [], ruledBy: [], isStale: false, hasOneFactor: false, isFederated: false };
  if (drawn.kind === 'api_key') {
    const scopes = drawn.permissions.filter((each) => !APPLICATION_PERMISSIONS.includes(each));
    const key = rows.apiKey(organization, scopes.length > 0 ? scopes : ['users:read'], app.config.serviceName);
    return { ...plain, ...key, kind: 'api_key', name: `API key (${scopes.join(' ')})` };
  }
  if (drawn.kind === 'oauth_client') {
    const scopes = drawn.permissions.filter((each) => !APPLICATION_PERMISSIONS.includes(each));
    const token = machineToken(rows, app, organization, scopes);
    const name = `machine client (${scopes.join(' ')})`;
    return { ...plain, ...token, kind: 'oauth_client', grants: [{ organization, permissions: scopes }], name };
  }
  if (drawn.kind === 'scim_token') {
    const [id, credential] = [newId('scimToken'), `scim.${randomToken()}`];
    rows.add('scim_tokens', { id, connection_id: connection.id, name: 't', last4: credential.slice(-4), created_at: rows.now });
    rows.token('scim_token', id, credential);
    const all = [{ organization: connection.organization, permissions: ['*'] }];
    return { ...plain, kind: 'scim_token', grants: all, holder: connection.id, credential, name: 'SCIM token' };
  }
  if (drawn.kind === 'setup_link') {
    const [id, credential] = [newId('setupLink'), `setup.${randomToken()}`];
    const steps = [pick(Object.keys(STEP_PERMISSIONS) as (keyof typeof STEP_PERMISSIONS)[], drawn.signedInAt)];
    const expires_at = new Date(rows.now.getTime() + 86_400_000);
    rows.add('setup_links', { id, organization_id: organization, steps, expires_at, created_at: rows.now });
    rows.token('setup_link', id, credential);
    const ofSteps = [{ organization, permissions: STEP_PERMISSIONS[steps[0]!] }];
    return { ...plain, kind: 'setup_link', grants: ofSteps, holder: id, credential, name: `setup link (${steps.join()})` };
  }
  const managing = pick(rows.organizations, drawn.managedAt ?? drawn.organization).id;
  const user = rows.person(managing, 'active');
  rows.assign(organization, user, rows.role(organization, permissions));
  const group = pick(groups, drawn.signedInAt);
  const isToken = TOKENS.some((each) => each === drawn.kind);
  const isInGroup = drawn.isInGroup && !isToken;
  if (isInGroup) rows.join(group.id, user, 'role_member');
  if (isInGroup) grants.push({ organization: group.organization, permissions: [...permissionsOf(rows, group.role)] });
  const isFederated = drawn.signedInAt % 4 === 0;
  const methods = [isFederated ? 'oidc' : 'password', ...(drawn.hasOneFactor ? [] : ['totp'])];
  const signedInAt = pick([managing, pick(rows.organizations, drawn.signedInAt).id], drawn.signedInAt);
  const credential = rows.session(user, signedInAt, methods, drawn.isStale);
  const borrowed = drawn.isBorrowing ? [borrow(rows, user, organization)] : [];
  const ofUser = { ...plain, holder: user, ruledBy: [managing, signedInAt], hasOneFactor: drawn.hasOneFactor, isFederated };
  if (isToken) return { ...ofUser, ...tokenOf(app, rows, drawn, user, organization) };
  if (!drawn.isStale) rows.password(user, passwordHash);
  const traits = [drawn.isStale && 'stale', drawn.hasOneFactor && 'one factor', drawn.isBorrowing && 'break glass'].filter(
    Boolean,
  );
  const held = grants.map((grant) => `${grant.permissions.join(' ')} in ${grant.organization}`).join(', ');
  const name = `session of ${user} (${[...traits, held].join(', ')})`;
  const own = { ...ofUser, kind: 'session', credential, grants, borrowed, isStale: drawn.isStale, name } as const;
  if (drawn.kind === 'impersonation') impersonate(rows, own, methods, drawn.signedInAt);
  return own;
}

/** Without these, nobody has less power. */
const IMPERSONATORS_PERMISSIONS = ['users:impersonate', 'organizations:*', 'members:*', 'users:*'];

/** Adds a session in which a conspirator acts as another user: the owner, or anybody with more or less power than the conspirator. */
function impersonate(
  rows: GraphRows,
  { holder, name, grants: own }: Conspirator,
  methods: readonly string[],
  number: number,
): void {
  const users = rows.tables['users']!.filter(({ id, status }) => id !== holder && status === 'active');
  const weaker = users.filter(({ id }) => grantsOf(rows, id).every((grant) => isWithin(rows, grant, own)));
  const { id, organization_id: managing } = pick(weaker.length > 0 && number % 3 > 0 ? weaker : users, number);
  const session = rows.tables['sessions']!.findLast((row) => row['user_id'] === holder)!;
  const impersonator = {
    impersonationId: newId('impersonation'),
    tenantId: rows.tenant_id,
    id: holder,
    sessionId: session['id'],
  };
  const credential = rows.session(String(id), String(managing), methods, false, impersonator);
  const grants = grantsOf(rows, id);
  const traits = { borrowed: [], ruledBy: [], isStale: true, hasOneFactor: false, isFederated: false };
  rows.impersonations.push({
    ...traits,
    isImpersonation: true,
    kind: 'session',
    holder: String(id),
    credential,
    grants,
    name: `${name} as ${String(id)}`,
  });
}

/** Returns what the roles of a user grant, without those of groups. */
const grantsOf = (rows: GraphRows, user: unknown): Grant[] =>
  (rows.tables['role_assignments'] ?? [])
    .filter((row) => row['user_id'] === user)
    .map((row) => ({ organization: String(row['organization_id']), permissions: permissionsOf(rows, String(row['role_id'])) }));

function isWithin({ organizations }: GraphRows, { organization, permissions }: Grant, held: readonly Grant[]): boolean {
  const { path } = organizations.find(({ id }) => id === organization)!;
  const covering = held.filter((each) => path.includes(each.organization)).flatMap((each) => each.permissions);
  return permissions.every((each) => covers(covering, each));
}

/** Adds an access token of a user. An application never has a fresh proof or break-glass access. */
function tokenOf(
  app: TestApp,
  rows: GraphRows,
  { kind, permissions }: PowerGraph['conspirators'][number],
  user: string,
  organization: string,
): Pick<Conspirator, 'kind' | 'credential' | 'grants' | 'isStale' | 'isBound' | 'name'> {
  const service = permissions.filter((each) => !APPLICATION_PERMISSIONS.includes(each));
  // The scopes are neither all that the user has, nor only that. The program has others, too.
  const scopesOf = (isOwn: (each: string) => boolean): string[] => [...service.filter(isOwn), 'members:read', 'events:read'];
  const ofUser = scopesOf((each) => permissions.indexOf(each) % 2 === 0);
  const ofProgram = scopesOf((each) => permissions.indexOf(each) % 3 !== 0);
  const isExchanged = kind === 'oauth_exchanged';
  const scopes = isExchanged ? ofUser.filter((each) => ofProgram.includes(each)) : ofUser;
  const grants = [{ organization, permissions: scopes.filter((each) => covers(permissions, each)) }];
  const isBound = kind === 'oauth_bound';
  const name = `${kind === 'oauth' ? 'application' : kind} of ${user} (${scopes.join(' ')})`;
  const shared = { kind: 'oauth', grants, isStale: true, isBound, name } as const;
  if (!isExchanged) return { ...shared, ...userToken(rows, app, user, organization, ofUser, isBound ? { jkt: THUMBPRINT } : {}) };
  const { credential, exchange } = passedOnToken(rows, app, user, organization, { user: ofUser, program: ofProgram });
  rows.exchanges.set(credential, exchange);
  return { ...shared, credential };
}

const covers = (held: readonly string[], permission: string): boolean =>
  [permission, permission.replace(/:.*/, ':*'), '*'].some((each) => held.includes(each));

const permissionsOf = ({ roles }: GraphRows, role: string): readonly string[] =>
  [...roles, ...BUILT_IN_ROLES].find(({ id }) => id === role)!.permissions;
