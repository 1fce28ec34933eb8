import { BUILT_IN_ROLES, EVERY_MEMBERS_PERMISSIONS } from '#directory/roles';
import type { TestApp } from '../../support/app.js';
import { SERVICE_RESOURCES } from './drawn-graph.js';
import type { Conspirator, Grant } from './power-graph.js';

interface Row {
  readonly id: string;
  readonly organization: string;
}
interface OrganizationRow {
  readonly id: string;
  readonly ancestors: readonly string[];
  readonly status: string;
  readonly deleted: boolean;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly locked: readonly string[];
}
/** The rows of a tenant that decide about power. Includes deleted organizations, which can be restored, but no break-glass access. */
interface Snapshot {
  readonly organizations: readonly OrganizationRow[];
  readonly granted: readonly { holder: string; organization: string; permissions: readonly string[] }[];
  readonly users: readonly (Row & {
    status: string;
    signIn: string;
    identities: string | null;
    address: string;
    externalId: string | null;
    confirmed: boolean;
    managedBy: string | null;
    access: number;
    tokens: number;
    endedSessions: number;
    email: string;
  })[];
  readonly names: readonly (Row & { name: string; permissions: readonly string[] })[];
  readonly webhooks: readonly (Row & { destination: string })[];
  readonly providers: readonly (Row & { issuer: string; enabled: boolean; trusted: readonly string[]; mfa: boolean })[];
  readonly verified: readonly { name: string }[];
  readonly credentials: readonly Row[];
  readonly provisioned: readonly (Row & { user: string })[];
  /** Users whose creation counts as a removal by a SCIM connection. */
  readonly countedCreations: readonly { id: string }[];
  readonly sharedNames: readonly { name: string }[];
}

/** Citus plans no `array(SELECT json_array_elements_text(…))` in a subquery. */
const textsOf = (json: string): string => `coalesce(translate(${json}, '[] "', '{}')::text[], '{}')`;
const PERMISSIONS = `coalesce(r.permissions, ${textsOf('$2::json ->> x.role_id')})`;
const rowsOf = (sql: string): string => `(SELECT coalesce(json_agg(t), '[]') FROM (${sql}) t)`;
const SNAPSHOT: Readonly<Record<keyof Snapshot, string>> = {
  organizations: `SELECT id, ancestor_ids AS ancestors, status, deleted_at IS NOT NULL AS deleted, settings_overrides AS overrides,
    locked_settings AS locked FROM organizations WHERE tenant_id = $1`,
  granted: `SELECT x.user_id AS holder, x.organization_id AS organization, ${PERMISSIONS} AS permissions FROM (
      SELECT tenant_id, user_id, organization_id, role_id FROM role_assignments WHERE tenant_id = $1 UNION
      SELECT m.tenant_id, m.user_id, m.organization_id, a.role_id FROM group_members m
        JOIN group_role_assignments a ON a.tenant_id = m.tenant_id AND a.group_id = m.group_id WHERE m.tenant_id = $1) x
    LEFT JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id
    UNION ALL SELECT id, organization_id, ${textsOf('resource_scopes ->> $3')} FROM oauth_clients
      WHERE tenant_id = $1 AND enabled AND coalesce(expires_at, 'infinity') > now()
    UNION ALL SELECT id, organization_id, scopes FROM api_keys
      WHERE tenant_id = $1 AND revoked_at IS NULL AND disabled_at IS NULL AND coalesce(expires_at, 'infinity') > now()`,
  users: `SELECT u.id, u.organization_id AS organization, u.status, u.email, u.email_key AS address, u.external_id AS "externalId",
    u.email_confirmed AS confirmed, u.managed_by AS "managedBy", (SELECT count(*)::int FROM sessions s WHERE s.tenant_id = $1
      AND s.user_id = u.id AND s.revoked_at IS NULL AND s.impersonator IS NULL) + (c.user_id IS NOT NULL)::int AS access, concat_ws(' ', u.email_key, 'externalId=' || u.external_id,
      'phone=' || u.phone_number, 'password=' || md5(c.password_hash),
      'factors=' || array_to_string(u.mfa_methods, ',')) AS "signIn",
    (SELECT string_agg(i.external_id || (p.configuration - 'allowedClients'), ',') FROM user_identities i JOIN identity_providers p
      ON p.tenant_id = i.tenant_id AND p.id = i.identity_provider_id AND p.enabled WHERE i.tenant_id = $1 AND i.user_id = u.id) AS identities,
    (SELECT count(*)::int FROM one_time_tokens o WHERE o.tenant_id = $1 AND o.user_id = u.id) AS tokens,
    (SELECT count(*)::int FROM sessions s WHERE s.tenant_id = $1 AND s.user_id = u.id AND s.revoked_at IS NOT NULL
      AND s.impersonator IS NULL) AS "endedSessions"
    FROM users u LEFT JOIN user_credentials c ON c.tenant_id = u.tenant_id AND c.user_id = u.id WHERE u.tenant_id = $1`,
  names: `SELECT id, organization_id AS organization, name, permissions FROM roles WHERE tenant_id = $1 UNION ALL
    SELECT g.id, g.organization_id, concat_ws(' ', g.name, g.external_id), ${PERMISSIONS} FROM groups g
      JOIN group_role_assignments x ON x.tenant_id = g.tenant_id AND x.group_id = g.id
      LEFT JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id WHERE g.tenant_id = $1`,
  webhooks: `SELECT id, organization_id AS organization, concat_ws(' ', url, events) AS destination FROM webhooks
    WHERE tenant_id = $1 AND deleted_at IS NULL`,
  providers: `SELECT id, organization_id AS organization, concat_ws(' ', configuration ->> 'issuer', configuration ->> 'clientId') AS issuer,
    enabled, mfa_trusted AS mfa, trusted_domains || ${textsOf("configuration ->> 'allowedClients'")}
    AS trusted FROM identity_providers WHERE tenant_id = $1`,
  verified: `SELECT name FROM verified_domains WHERE tenant_id = $1`,
  credentials: `SELECT id, organization_id AS organization FROM api_keys WHERE tenant_id = $1 UNION ALL
    SELECT id, organization_id FROM setup_links WHERE tenant_id = $1 UNION ALL SELECT t.id, c.organization_id FROM scim_tokens t
      JOIN scim_connections c ON c.tenant_id = t.tenant_id AND c.id = t.connection_id WHERE t.tenant_id = $1`,
  provisioned: `SELECT m.organization_id || m.user_id AS id, m.organization_id AS organization, m.user_id AS user FROM memberships m
    JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id JOIN scim_connections c ON c.tenant_id = m.tenant_id AND c.id = u.managed_by
    WHERE m.tenant_id = $1 AND NOT c.allow_local_changes AND c.organization_id = m.organization_id`,
  // The row of the user and the removal are of the same transaction.
  countedCreations: `SELECT r.user_id AS id FROM scim_removals r JOIN scim_users s ON s.tenant_id = r.tenant_id AND s.user_id = r.user_id
    WHERE r.tenant_id = $1 AND r.kind = 'suspended' AND r.xmin = s.xmin AND s.version = 1`,
  sharedNames: `SELECT s.user_name_key AS name FROM scim_users s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id AND u.status <> 'deleted'
    WHERE s.tenant_id = $1 GROUP BY s.connection_id, s.user_name_key HAVING count(*) > 1`,
};
const SNAPSHOT_SQL = `SELECT json_build_object(${Object.entries(SNAPSHOT)
  .map(([name, sql]) => `'${name}', ${rowsOf(sql)}`)
  .join(', ')}) AS snapshot`;
const BUILT_IN = JSON.stringify(Object.fromEntries(BUILT_IN_ROLES.map(({ id, permissions }) => [id, permissions])));

export async function takeSnapshot({ database, config }: TestApp, tenantId: string): Promise<Snapshot> {
  const [row] = await database.query<{ snapshot: Snapshot }>(SNAPSHOT_SQL, [tenantId, BUILT_IN, config.baseUrl]);
  return row!.snapshot;
}

const includes = (held: readonly string[], permission: string): boolean =>
  held.some((each) => each === '*' || each === permission || each === `${permission.split(':')[0]}:*`);

/** Returns whether `held` includes a permission or allows granting it. Implemented independently of the service. */
function covers(held: readonly string[], permission: string): boolean {
  const isApplication = permission !== '*' && !SERVICE_RESOURCES.includes(permission.split(':')[0]!);
  return includes(held, permission) || (isApplication && includes(held, 'permissions:grant'));
}

type Path = (organization: string) => readonly string[];

/** Returns what a holder has in an organization with these ancestors. */
function grantsAt({ granted }: Snapshot, holder: string, path: readonly string[]): ReadonlySet<string> {
  const grants = granted.filter((grant) => grant.holder === holder && path.includes(grant.organization));
  return new Set(grants.flatMap(({ permissions }) => permissions));
}

const isChanging = (permission: string): boolean =>
  permission === '*' || (SERVICE_RESOURCES.includes(permission.split(':')[0]!) && !permission.endsWith(':read'));

/** Returns the organizations whose rules and suspension apply to every request of a credential. */
const rulersOf = ({ kind, ruledBy, grants }: Conspirator): readonly string[] =>
  kind === 'session' || kind === 'oauth' ? ruledBy : grants.map((grant) => grant.organization);

/** Settings that need a fresh proof, and those that need all permissions. */
const FRESH_SETTINGS = new Set([
  'requireMfa',
  'mfaMethods',
  'ssoRequired',
  'allowedDomains',
  'allowedNetworks',
  'impersonationApproval',
  'applicationApproval',
  'clientIdMetadataDomains',
  'dynamicClientRegistration',
]);
const OWNERS_SETTINGS = new Set(['allowedNetworks', 'ssoRequired', 'applicationApproval']);

interface Options {
  /** Whether only conspirators with a fresh proof count. */
  readonly fresh?: boolean;
  /** Whether permissions from break-glass access count. */
  readonly borrowed?: boolean;
  /** The organization that manages the affected person, whose rules apply too. */
  readonly managing?: string;
  /** Whether permissions that every member has count in organizations that the conspirators can't access. */
  readonly countsAll?: boolean;
  /** False if a change can affect the person without naming the person. */
  readonly addressed?: boolean;
}

/** What happened meanwhile. */
interface Outcome {
  /** The parents of organizations that the conspirators created, at the time of the creation. */
  readonly createdBelow: ReadonlyMap<string, string>;
  /** Addresses to which anonymous requests sent a link. */
  readonly mailed: ReadonlySet<string>;
  /** The users in whose name conspirators acted for support. */
  readonly actedAs: ReadonlySet<string>;
}

/** Compares a tenant before and after the requests of the conspirators with what the conspirators could do before. */
export class PowerInvariants {
  private readonly byId: ReadonlyMap<string, OrganizationRow>;
  private readonly cache = new Map<string, readonly string[]>();
  private readonly working = new Map<string, boolean>();
  private after: Snapshot;
  private afterById: ReadonlyMap<string, OrganizationRow>;
  private outcome: Outcome = { createdBelow: new Map(), mailed: new Set(), actedAs: new Set() };

  constructor(
    private readonly before: Snapshot,
    private readonly conspirators: readonly Conspirator[],
  ) {
    this.after = before;
    this.byId = new Map(before.organizations.map((each) => [each.id, each]));
    this.afterById = this.byId;
  }

  violations(after: Snapshot, outcome: Outcome): string[] {
    this.after = after;
    this.afterById = new Map(after.organizations.map((each) => [each.id, each]));
    this.outcome = outcome;
    return [
      ...this.gains(),
      ...this.losses(),
      ...this.people(),
      ...this.identifiers(),
      ...this.policies(),
      ...this.others(),
      ...this.provisioning(),
      ...this.impersonations(),
    ];
  }

  private path(organization: string): readonly string[] {
    const row = this.byId.get(organization);
    return row ? [...row.ancestors, organization] : [];
  }

  /** Returns the organization that existed before, for an organization that the conspirators created. */
  private base(organization: string): string {
    const parent = this.outcome.createdBelow.get(organization);
    return parent === undefined ? organization : this.base(parent);
  }

  private setting(snapshot: ReadonlyMap<string, OrganizationRow>, organization: string, field: string): unknown {
    const row = snapshot.get(organization);
    let value: unknown;
    for (const id of row ? [...row.ancestors, organization] : []) {
      const layer = snapshot.get(id)!;
      value = layer.overrides[field] ?? value;
      if (layer.locked.includes(field)) break;
    }
    return value;
  }

  /** Returns whether the rules and the suspension of organizations let a credential work in an organization. */
  worksIn(conspirator: Conspirator, organization: string): boolean {
    const key = `${conspirator.credential} ${organization}`;
    const known = this.working.get(key) ?? this.computeWorksIn(conspirator, organization);
    this.working.set(key, known);
    return known;
  }

  private computeWorksIn(conspirator: Conspirator, organization: string): boolean {
    return [organization, ...rulersOf(conspirator)].every((id) => this.isOn(id) && this.meetsRules(conspirator, id));
  }

  private isOn(organization: string): boolean {
    return this.path(organization).every((id) => this.byId.get(id)!.status === 'active' && !this.byId.get(id)!.deleted);
  }

  /** Returns whether an organization accepts a credential: second factor, networks and single sign-on, which is optional for owners. */
  private meetsRules({ kind, hasOneFactor, isFederated, ruledBy, grants }: Conspirator, organization: string): boolean {
    if (kind !== 'session' && kind !== 'oauth') return true;
    const value = (field: string): unknown => this.setting(this.byId, organization, field);
    const isOwner = grants.some(
      (grant) => grant.permissions.includes('*') && this.path(organization).includes(grant.organization),
    );
    if (!isFederated && !isOwner && organization === ruledBy[0] && value('ssoRequired') === true) return false;
    if (value('requireMfa') === true && hasOneFactor) return false;
    // The networks of the sign-in don't count for an application.
    return kind === 'oauth' || !(value('allowedNetworks') as string[] | undefined)?.length;
  }

  /** Whether conspirators could change the rules of an organization, or activate or restore it, so that these stop nobody. */
  private canChangeRules(organization: string): boolean {
    return this.path(organization).some((id) =>
      this.conspirators.some((each) => {
        if (![id, ...rulersOf(each)].every((ruler) => this.meetsRules(each, ruler))) return false;
        const held = [...each.grants, ...each.borrowed].filter((grant) => this.path(id).includes(grant.organization));
        const permissions = held.flatMap((grant) => grant.permissions);
        return covers(permissions, 'organizations:write') || covers(permissions, 'organizations:delete');
      }),
    );
  }

  /**
   * Returns the permissions of the conspirators in an organization before the requests. With `managing`, the rules of the organization that
   * manages the account apply, and not those of other organizations where the user has roles.
   */
  private held(organization: string, options: Options = {}): readonly string[] {
    const key = JSON.stringify([organization, options]);
    const known = this.cache.get(key);
    if (known) return known;
    const base = this.base(organization);
    const works = (each: Conspirator): boolean =>
      [options.managing ?? base, ...rulersOf(each)].every(
        (id) => (this.isOn(id) && this.meetsRules(each, id)) || this.canChangeRules(id),
      );
    const usable = this.conspirators.filter((each) => !(options.fresh && each.isStale)).filter(works);
    const grants = usable.flatMap((each): readonly Grant[] => [...each.grants, ...(options.borrowed ? each.borrowed : [])]);
    const path = this.path(base);
    const held = grants.filter((grant) => path.includes(grant.organization)).flatMap((grant) => grant.permissions);
    this.cache.set(key, held);
    return held;
  }

  /** Returns the permissions that are not covered. Those that every member has count only for the sign-in of people out of reach. */
  private beyond(permissions: Iterable<string>, organization: string, options: Options = {}): string[] {
    const held = this.held(organization, options);
    const isOutOfReach = options.countsAll && this.held(organization, { ...options, borrowed: true }).length === 0;
    return [...permissions].filter(
      (permission) => !covers(held, permission) && (isOutOfReach || !EVERY_MEMBERS_PERMISSIONS.includes(permission)),
    );
  }

  /** Returns what each holder has in `to` and not in `from`, in the topmost organizations. */
  private changesOf(from: Snapshot, to: Snapshot, pathFrom: Path, pathTo: Path) {
    return [...new Set(to.granted.map(({ holder }) => holder))].flatMap((holder) => {
      const newIn = new Map(
        this.after.organizations.map(({ id }) => {
          const earlier = [...grantsAt(from, holder, pathFrom(id))];
          return [id, new Set([...grantsAt(to, holder, pathTo(id))].filter((permission) => !includes(earlier, permission)))];
        }),
      );
      return [...newIn].flatMap(([organization, all]) => {
        const above = pathTo(organization).filter((id) => id !== organization);
        const permissions = [...all].filter((permission) => !above.some((id) => newIn.get(id)?.has(permission)));
        return permissions.length > 0 ? [{ holder, organization, permissions }] : [];
      });
    });
  }

  private readonly pathBefore: Path = (id) => this.path(this.base(id));
  private readonly pathAfter: Path = (id) => {
    const row = this.afterById.get(id);
    return row ? [...row.ancestors, id] : [];
  };

  /** Nobody gains what the conspirators could not grant. Permissions that change something need a fresh proof. */
  private gains(): string[] {
    return this.changesOf(this.before, this.after, this.pathBefore, this.pathAfter).flatMap(
      ({ holder, organization, permissions }) => {
        const gained = permissions.filter((each) => this.beyond([each], organization, { fresh: isChanging(each) }).length > 0);
        return gained.length > 0 ? [`${holder} gained ${gained.join(' ')} in ${organization}`] : [];
      },
    );
  }

  /** Nobody else loses what the conspirators could not grant. */
  private losses(): string[] {
    return this.changesOf(this.after, this.before, this.pathAfter, this.pathBefore).flatMap(
      ({ holder, organization, permissions }) => {
        if (this.outcome.createdBelow.has(organization) || this.conspirators.some((each) => each.holder === holder)) return [];
        const lost = this.beyond(permissions, organization);
        return lost.length > 0 ? [`${holder} lost ${lost.join(' ')} in ${organization}`] : [];
      },
    );
  }

  /** Nobody acts as a user who has more than all conspirators together, without what break glass lends. */
  private impersonations(): string[] {
    const grants = this.conspirators.flatMap((each) => each.grants);
    const hasMore = ({ granted }: Snapshot, rows: ReadonlyMap<string, OrganizationRow>, user: string): boolean =>
      granted.some(({ holder, organization, permissions }) => {
        const path = new Set([...(rows.get(organization)?.ancestors ?? []), organization]);
        const held = grants.filter((grant) => path.has(grant.organization)).flatMap((grant) => grant.permissions);
        return holder === user && !this.isOff(rows, organization) && permissions.some((each) => !includes(held, each));
      });
    return [...this.outcome.actedAs]
      .filter((user) => hasMore(this.before, this.byId, user) && hasMore(this.after, this.afterById, user))
      .map((user) => `conspirators acted as ${user}, who has more`);
  }

  private excess(user: string, options: Options, isCounted: (organization: string) => boolean = () => true): string[] {
    return this.before.granted
      .filter(({ holder, organization }) => holder === user && isCounted(organization))
      .flatMap(({ organization, permissions }) => this.beyond(permissions, organization, options));
  }

  /** No account of somebody who has more is controlled, disabled, unlinked or deleted. */
  private people(): string[] {
    const after = new Map(this.after.users.map((user) => [user.id, user]));
    return this.before.users
      .filter(({ id }) => !this.conspirators.some((each) => each.holder === id))
      .flatMap((user) => {
        const { id, organization: managing } = user;
        const now = after.get(id);
        const check = (
          what: string,
          isChanged: boolean,
          options: Options,
          isCounted?: (organization: string) => boolean,
        ): string[] => {
          if (!isChanged) return [];
          // A change of a provider doesn't address the users who sign in with it.
          const more = this.excess(id, options.addressed === false ? options : { managing, ...options }, isCounted);
          const isLocked =
            options.addressed !== false && this.held(managing, { ...options, managing, borrowed: true }).length === 0;
          if (more.length === 0 && !isLocked) return [];
          return [
            `${id} ${what}, has ${more.join(' ')}${isLocked ? ' (the conspirators can’t access the managing organization)' : ''}`,
          ];
        };
        const isNowSuspended = this.isOff(this.afterById, managing) && !this.isOff(this.byId, managing);
        const isStatusChanged = now?.status !== user.status && !(user.status === 'pending' && now?.status === 'active');
        return [
          ...check(`changed: ${user.signIn} -> ${now?.signIn}`, now !== undefined && now.signIn !== user.signIn, {
            fresh: true,
            countsAll: true,
          }),
          ...check('got a link', (now?.tokens ?? 0) > user.tokens && !this.outcome.mailed.has(user.email), {
            fresh: true,
            countsAll: true,
          }),
          ...check(`is ${now?.status ?? 'erased'}`, isStatusChanged, {}),
          ...check('can’t use an identity', now !== undefined && now.identities !== user.identities, { addressed: false }),
          ...check('was signed out', (now?.endedSessions ?? 0) > user.endedSessions, {}),
          ...check(
            'can’t sign in, as the organization is off',
            isNowSuspended,
            {},
            (organization) => !this.pathAfter(organization).some((each) => this.isOffItself(each)),
          ),
        ];
      });
  }

  /** Nobody takes the identifiers of a deleted person who has more, and could be restored. */
  private identifiers(): string[] {
    const deleted = this.before.users.filter(({ status }) => status === 'deleted');
    return this.after.users.flatMap((user) => {
      const was = this.before.users.find(({ id }) => id === user.id);
      const isTaken = (field: 'address' | 'externalId', from: string | null): boolean =>
        user[field] === from && from !== null && was?.[field] !== from;
      const previous = deleted.filter(
        (each) => each.id !== user.id && (isTaken('address', each.address) || isTaken('externalId', each.externalId)),
      );
      return previous
        .filter(({ id, organization }) => this.excess(id, { managing: organization, countsAll: true, fresh: true }).length > 0)
        .map(({ id }) => `${user.id} has an identifier of ${id}`);
    });
  }

  private isOffItself(organization: string): boolean {
    const row = this.afterById.get(organization);
    return !row || row.deleted || row.status !== 'active';
  }

  private isOff(rows: ReadonlyMap<string, OrganizationRow>, organization: string): boolean {
    const row = rows.get(organization);
    return !row || [...row.ancestors, organization].some((id) => rows.get(id)!.deleted || rows.get(id)!.status !== 'active');
  }

  /** No policy is different that the conspirators could not change where it applies. */
  private policies(): string[] {
    const fields = new Set(
      [...this.before.organizations, ...this.after.organizations].flatMap(({ overrides }) => Object.keys(overrides)),
    );
    return this.before.organizations.flatMap(({ id, status, deleted }) => {
      const now = this.afterById.get(id);
      if (!now) return [];
      const changed = [...fields].filter(
        (field) => JSON.stringify(this.setting(this.byId, id, field)) !== JSON.stringify(this.setting(this.afterById, id, field)),
      );
      const isStateChanged = now.status !== status || now.deleted !== deleted;
      const needs = changed.flatMap((field): [string, readonly string[], Options][] => {
        const role = field === 'defaultRole' ? String(this.setting(this.afterById, id, field) ?? 'role_member') : undefined;
        const fresh = FRESH_SETTINGS.has(field);
        return [
          [field, ['organizations:write'], { fresh, borrowed: field === 'defaultLocale' }],
          ...(OWNERS_SETTINGS.has(field) ? ([[field, ['*'], { fresh }]] as [string, string[], Options][]) : []),
          ...(role ? ([[field, this.permissionsOf(role), {}]] as [string, readonly string[], Options][]) : []),
        ];
      });
      const beyond = needs.filter(([, permissions, options]) => this.beyond(permissions, id, options).length > 0);
      const stateNeeds = ['organizations:write', 'organizations:delete'];
      const isState = isStateChanged && this.beyond(stateNeeds, id, { borrowed: true }).length === stateNeeds.length;
      return [
        ...new Set(
          beyond.map(
            ([field]) =>
              `${field} of ${id}: ${JSON.stringify(this.setting(this.byId, id, field))} -> ${JSON.stringify(this.setting(this.afterById, id, field))}`,
          ),
        ),
        ...(isState ? [`${id} changed its state`] : []),
      ];
    });
  }

  private permissionsOf(role: string): readonly string[] {
    const builtIn = BUILT_IN_ROLES.find(({ id }) => id === role)?.permissions;
    return builtIn ?? this.after.names.find(({ id }) => id === role)?.permissions ?? [];
  }

  /** Names of roles and groups, webhooks, trust in identity providers, and credentials. */
  private others(): string[] {
    const { before, after } = this;
    const found: string[] = [];
    for (const { id, organization, name, permissions } of before.names) {
      const now = after.names.find((each) => each.id === id);
      if (now && now.name !== name && this.beyond(permissions, organization).length > 0) found.push(`${id} has another name`);
    }
    for (const { id, organization, destination } of after.webhooks) {
      const isSame = before.webhooks.some((each) => each.id === id && each.destination === destination);
      if (!isSame && this.beyond(['events:read'], organization, { fresh: true }).length > 0) found.push(`${id} copies events`);
    }
    for (const { id, organization, issuer, enabled, trusted, mfa } of after.providers) {
      const was = before.providers.find((each) => each.id === id) ?? {
        issuer: '',
        enabled: false,
        trusted: [] as string[],
        mfa: false,
      };
      const isTrusted = mfa || trusted.length > 0;
      const isNew = trusted.some((domain) => !was.trusted.includes(domain)) || (mfa && !was.mfa);
      const isExtended = isTrusted && (isNew || issuer !== was.issuer || (enabled && !was.enabled));
      if (isExtended && this.beyond(['*'], organization, { fresh: true }).length > 0) found.push(`${id} is trusted`);
    }
    for (const { id, organization } of after.credentials) {
      const isNew = !before.credentials.some((each) => each.id === id);
      if (isNew && this.held(organization, { fresh: true, borrowed: true }).length === 0)
        found.push(`${id} was created without a fresh proof`);
    }
    return found;
  }

  /** Users of a SCIM connection change only through the connection. */
  private provisioning(): string[] {
    const { before, after } = this;
    const canDecide = (organization: string): boolean => covers(this.held(organization, { borrowed: true }), 'scim:write');
    const left = before.provisioned.filter(({ id, organization, user }) => {
      const isDeleted = !after.users.some((each) => each.id === user && each.status !== 'deleted');
      return !isDeleted && !after.provisioned.some((each) => each.id === id) && !canDecide(organization);
    });
    const signsIn = ({ providers, verified }: Snapshot, path: readonly string[]): boolean =>
      providers.some(
        ({ organization, enabled, trusted }) =>
          enabled && path.includes(organization) && verified.some(({ name }) => trusted.includes(name)),
      );
    const closed = before.organizations.filter(({ id }) => {
      const isRequired = [this.byId, this.afterById].every((each) => this.setting(each, id, 'ssoRequired') === true);
      return (
        isRequired && signsIn(before, this.path(id)) && !signsIn(after, this.pathAfter(id)) && !this.isOff(this.afterById, id)
      );
    });
    const adopted = after.users.filter(({ id, managedBy, access }) => {
      const was = before.users.find((user) => user.id === id);
      return was && !was.managedBy && managedBy && !was.confirmed && access > 0;
    });
    return [
      ...adopted.map(({ id }) => `${id} was adopted and kept the access of before`),
      ...closed.map(({ id }) => `nobody can sign in to ${id}, which requires single sign-on`),
      ...left.map(({ user, organization }) => `${user} left ${organization} although a directory manages the user`),
      ...(before.sharedNames.length < after.sharedNames.length ? ['two users share a user name'] : []),
      ...after.countedCreations
        .filter(({ id }) => !before.users.some((user) => user.id === id))
        .map(({ id }) => `${id} counts as removed, but was created`),
    ];
  }
}
