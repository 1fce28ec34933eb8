import { describe, expect, it } from '@jest/globals';
import {
  assertGrantable,
  type Caller,
  callerFor,
  GrantBeyondOwn,
  holdsPermission,
  permissionsAt,
  SERVICE_PERMISSIONS,
} from '#common';
import fc from 'fast-check';
import { BUILT_IN_ROLES } from './built-in-roles.js';

interface Place {
  readonly id: string;
  readonly ancestorIds: readonly string[];
}

/** A role of an organization, usable there and below. */
interface Role {
  readonly home: Place | null;
  permissions: readonly string[];
}

/** Somebody with any number of roles in any places, or a key. */
interface Person {
  readonly assignments: { place: Place; role: Role }[];
  readonly key?: { place: Place; scopes: readonly string[] };
}

interface Graph {
  places: Place[];
  roles: Role[];
  people: Person[];
}

/** The long run is the full proof; the short one is a share of it for every change. */
const GRAPHS = process.env['LONG'] ? 5_000 : 500;
const RESOURCES = [...new Set(SERVICE_PERMISSIONS.map((permission) => permission.split(':')[0]!))];
const permission = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<string>(...SERVICE_PERMISSIONS) },
  { weight: 2, arbitrary: fc.constantFrom('*', ...RESOURCES.map((resource) => `${resource}:*`)) },
  // What it takes to grant at all.
  { weight: 4, arbitrary: fc.constantFrom('roles:write', 'members:write', 'users:write', 'api_keys:write') },
  fc.constant('cars:drive'),
);
const permissions = fc.uniqueArray(permission, { maxLength: 6 });
const index = fc.nat(1_000);
const pick = <T>(of: readonly T[], at: number): T => of[at % of.length]!;

/** Parents come before children; the first organization is the top of the tree. */
const graph: fc.Arbitrary<Graph> = fc
  .record({
    parents: fc.array(index, { maxLength: 5 }),
    roles: fc.array(fc.tuple(index, permissions), { maxLength: 6 }),
    people: fc.array(fc.array(fc.tuple(index, index), { maxLength: 4 }), { minLength: 2, maxLength: 5 }),
  })
  .map(({ parents, roles, people }) => {
    const places: Place[] = [{ id: 'org_0', ancestorIds: [] }];
    for (const parent of parents) {
      const { id, ancestorIds } = pick(places, parent);
      places.push({ id: `org_${places.length}`, ancestorIds: [...ancestorIds, id] });
    }
    const builtIn = BUILT_IN_ROLES.map((role) => ({ home: null, permissions: role.permissions }));
    const all: Role[] = [...builtIn, ...roles.map(([home, held]) => ({ home: pick(places, home), permissions: held }))];
    const peopleWithRoles = people.map((assignments) => ({
      assignments: assignments.map(([at, which]) => {
        const place = pick(places, at);
        return { place, role: pick(usableAt(all, place), which) };
      }),
    }));
    return { places, roles: all, people: peopleWithRoles };
  });

const usableAt = (roles: readonly Role[], { id, ancestorIds }: Place): Role[] =>
  roles.filter(({ home }) => home === null || home.id === id || ancestorIds.includes(home.id));

/** One attempt to hand something on, by one of those who conspire. */
const step = fc.record({
  by: index,
  way: fc.constantFrom('create role', 'change role', 'assign', 'make key', 'replace role'),
  place: index,
  role: index,
  other: index,
  to: index,
  permissions,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** As the guard sees a person or key in a request that needs the permission in the organization; undefined: refused. */
function admitted({ assignments, key }: Person, needed: string, place: Place): Caller | undefined {
  const grants = assignments.map((each) => ({ organizationId: each.place.id, permissions: each.role.permissions }));
  const whole: Caller = key
    ? { kind: 'key', organizationIds: [key.place.id], permissions: key.scopes }
    : { kind: 'user', organizationIds: grants.map(({ organizationId }) => organizationId), permissions: [], grants };
  const caller = callerFor(whole, needed, place);
  return holdsPermission(permissionsAt(caller, place), needed) ? caller : undefined;
}

/** Whether the caller may hand the permissions on, by the function that every way of granting asks (test/e2e/granting.spec.ts). */
function mayGrant(caller: Caller | undefined, place: Place, wanted: readonly string[]): boolean {
  if (!caller) return false;
  try {
    assertGrantable(caller, place, 'It', wanted);
    return true;
  } catch (error) {
    if (error instanceof GrantBeyondOwn) return false;
    throw error;
  }
}

/** Does what the service would let happen. Gives whether anything did. */
function attempt({ places, roles, people }: Graph, by: Person, { way, ...chosen }: Step): boolean {
  const place = pick(places, chosen.place);
  const role = pick(usableAt(roles, place), chosen.role);
  const to = pick(people, chosen.to);
  switch (way) {
    case 'create role':
      if (!mayGrant(admitted(by, 'roles:write', place), place, chosen.permissions)) return false;
      roles.push({ home: place, permissions: chosen.permissions });
      return true;
    case 'change role': {
      if (role.home === null) return false;
      const changed = [...chosen.permissions, ...role.permissions].filter(
        (each) => !(chosen.permissions.includes(each) && role.permissions.includes(each)),
      );
      if (!mayGrant(admitted(by, 'roles:write', role.home), role.home, changed)) return false;
      role.permissions = chosen.permissions;
      return true;
    }
    case 'assign':
      if (to.key || !mayGrant(admitted(by, 'members:write', place), place, role.permissions)) return false;
      to.assignments.push({ place, role });
      return true;
    case 'make key':
      if (!mayGrant(admitted(by, 'api_keys:write', place), place, chosen.permissions)) return false;
      people.push({ assignments: [], key: { place, scopes: chosen.permissions } });
      return true;
    default: {
      const next = pick(usableAt(roles, place), chosen.other);
      if (role.home?.id !== place.id || next === role) return false;
      if (!mayGrant(admitted(by, 'roles:write', place), place, [...role.permissions, ...next.permissions])) return false;
      for (const { assignments } of people) for (const each of assignments.filter((one) => one.role === role)) each.role = next;
      roles.splice(roles.indexOf(role), 1);
      return true;
    }
  }
}

/** Every permission of the service in every organization that the person has. */
function powers(person: Person, places: readonly Place[]): Set<string> {
  const held = places.flatMap((place) =>
    SERVICE_PERMISSIONS.filter((each) => admitted(person, each, place)).map((each) => `${place.id} ${each}`),
  );
  return new Set(held);
}

describe('graphs of roles', () => {
  it('let nobody raise themselves, whoever conspires and however many steps they take', () => {
    let done = 0;
    fc.assert(
      fc.property(graph, fc.array(step, { minLength: 1, maxLength: 15 }), fc.nat(), (world, steps, split) => {
        // The conspirators act; the others, who may be stronger, never do.
        const conspirators = world.people.slice(0, 1 + (split % (world.people.length - 1)));
        const others = world.people.slice(conspirators.length);
        const before = new Set(conspirators.flatMap((person) => [...powers(person, world.places)]));
        const ofOthers = others.map((person) => powers(person, world.places));
        const known = world.people.length;
        for (const each of steps) {
          const actors = [...conspirators, ...world.people.slice(known)];
          done += Number(attempt(world, pick(actors, each.by), each));
        }
        for (const person of [...conspirators, ...world.people.slice(known)])
          expect([...powers(person, world.places)].filter((power) => !before.has(power))).toEqual([]);
        for (const [at, person] of others.entries())
          expect([...powers(person, world.places)].filter((power) => !before.has(power) && !ofOthers[at]!.has(power))).toEqual(
            [],
          );
      }),
      { numRuns: GRAPHS },
    );
    // Steps that are all refused would prove nothing.
    expect(done).toBeGreaterThan(GRAPHS / 3);
  });
});
