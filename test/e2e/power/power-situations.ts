import type { PowerGraph } from './drawn-graph.js';

interface Situation {
  /** The operations that half of the requests call. */
  readonly operations: readonly string[];
  readonly shape: (graph: PowerGraph) => PowerGraph;
}

type Conspirator = PowerGraph['conspirators'][number];

/** Returns the graph with another first conspirator, who also has permissions but never all. */
function withFirst(graph: PowerGraph, changes: Partial<Conspirator>, added: Conspirator['permissions'] = []): PowerGraph {
  const [first, ...others] = graph.conspirators;
  const permissions = [...new Set([...first!.permissions, ...added])].filter((each) => each !== '*');
  const plain = { isStale: false, isBorrowing: false, isInGroup: false, organization: 0, managedAt: null };
  return { ...graph, conspirators: [{ ...first!, ...plain, permissions, ...changes }, ...others] };
}

/** Returns the graph with other settings of the organization 1, and no rules of the others. */
function withSettings(graph: PowerGraph, changes: Partial<PowerGraph['organizations'][number]['settings']>): PowerGraph {
  const none = { requireMfa: false, isNetworkLimited: false, ssoRequired: false, isLocked: false };
  const organizations = graph.organizations.map((each, index) => {
    const settings = { ...each.settings, ...none, ...(index === 0 ? changes : {}) };
    return { parent: 0, isSuspended: false, settings };
  });
  return { ...graph, organizations };
}

const withFirstPerson = (graph: PowerGraph, changes: Partial<PowerGraph['people'][number]>): PowerGraph => ({
  ...graph,
  people: graph.people.map((person, index) => (index === 0 ? { ...person, ...changes } : person)),
});

const OF_USERS = ['updateUser', 'suspendUser', 'deleteUser', 'revokeUserSessions'];
const MEMBER = 3;

/** Situations with an effect that random graphs and requests have too rarely. */
export const SITUATIONS = {
  /** The lock of a setting ends the networks or the single sign-on of a child organization. */
  locks: {
    operations: ['updateOrganization'],
    shape: (graph) =>
      withFirst(withSettings(graph, { isNetworkLimited: true, ssoRequired: true }), { kind: 'api_key' }, ['organizations:*']),
  },
  /** A person of a stricter child organization is a member of its parent. */
  people: {
    operations: OF_USERS,
    shape: (graph) => {
      const person = { organization: 1, assignments: [{ organization: 0, role: MEMBER }], group: null, isProvisioned: false };
      const strict = withFirstPerson(withSettings(graph, { requireMfa: true }), { ...person, status: 'active' });
      return withFirst(strict, { kind: 'session', hasOneFactor: true, signedInAt: 0 }, ['users:*']);
    },
  },
  /** A stricter organization manages somebody who signs in elsewhere. */
  sessions: {
    operations: ['createUser', 'updateUser', 'createRole', 'createGroup'],
    shape: (graph) => {
      const user = { kind: 'session', hasOneFactor: true, managedAt: 1, signedInAt: 3 } as const;
      return withFirst(withSettings(graph, { requireMfa: true }), user, ['users:*', 'roles:*', 'groups:*']);
    },
  },
  /** Somebody from support signs in as users. */
  impersonation: {
    operations: ['requestImpersonation', ...OF_USERS, 'assignRole', 'addMember', 'updateRole'],
    shape: (graph) => {
      const support = { kind: 'session', hasOneFactor: false, signedInAt: 0 } as const;
      const assignments = [{ organization: 0, role: MEMBER }];
      const person = { organization: 0, assignments, group: null, status: 'active', isUnconfirmed: false } as const;
      const people = graph.people.map((each) => ({ ...each, ...person, assignments: [...assignments] }));
      const added = ['users:impersonate', 'users:*', 'members:*', 'roles:*', 'organizations:*'];
      return withFirst(withSettings({ ...graph, people, deleted: 6 }, {}), support, added);
    },
  },
  /** A directory creates a user with the user name of a deleted user, who can be restored. */
  names: {
    operations: ['createScimUser', 'restoreUser'],
    shape: (graph) => {
      const assignments = [{ organization: 0, role: MEMBER }];
      const local = { ...graph, deleted: 6, allowsLocalChanges: true };
      const left = withFirstPerson(local, { isProvisioned: true, status: 'deleted', group: null, assignments });
      const administrator = withFirst(left, { kind: 'api_key' }, ['users:*']);
      const { conspirators } = withFirst(administrator, { kind: 'scim_token' });
      return { ...administrator, conspirators: [administrator.conspirators[0]!, conspirators[0]!] };
    },
  },
} as const satisfies Readonly<Record<string, Situation>>;
