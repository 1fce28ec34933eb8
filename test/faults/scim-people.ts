import type { Random } from './random.js';

/** The share of people with each change between two states of the directory. */
const CHANGES = { givenName: 0.3, title: 0.15, email: 0.05, userName: 0.05, suspended: 0.07, activated: 0.5 } as const;
const INACTIVE_SHARE = 0.05;
/** The share of members whom a change removes from a group. The same number of other people joins. */
const MEMBERS_CHANGED_SHARE = 0.15;

/** A person in the directory. Only people who look up by `externalId` change their `userName`. */
export interface Person {
  readonly externalId: string;
  userName: string;
  email: string;
  givenName: string;
  familyName: string;
  /** An attribute that only SCIM stores. Its changes have no event. */
  title: string;
  active: boolean;
}

/** All people by external ID, and the external IDs of the members of each group by name. */
export interface DirectoryState {
  readonly people: ReadonlyMap<string, Person>;
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The number of people in each group. */
export interface GroupSizes {
  readonly groups: number;
  readonly members: number;
}

export const looksUpByUserName = ({ externalId }: Person): boolean => Number(externalId.slice('hr-'.length)) % 2 === 0;

export function createState(count: number, sizes: GroupSizes, random: Random): DirectoryState {
  const people = new Map(Array.from({ length: count }, (_, index) => entryOf(createPerson(index, random))));
  const ids = [...people.keys()];
  const groups = new Map<string, ReadonlySet<string>>();
  for (let index = 0; index < sizes.groups; index++)
    groups.set(`Group ${index}`, new Set(Array.from({ length: sizes.members }, () => random.pick(ids))));
  return { people, groups };
}

/**
 * Returns a later state: people have other names and addresses, are suspended or active again. `turnover` is the number of new people, and the
 * maximum number of deleted people. Members of groups are not deleted.
 */
export function changeState(state: DirectoryState, turnover: number, random: Random): DirectoryState {
  const inGroups = new Set([...state.groups.values()].flatMap((members) => [...members]));
  const leavers = new Set(random.shuffled([...state.people.keys()].filter((id) => !inGroups.has(id))).slice(0, turnover));
  const kept = [...state.people.values()].filter(({ externalId }) => !leavers.has(externalId));
  const people = new Map(kept.map((person) => entryOf(changePerson(person, random))));
  const first = state.people.size;
  for (let index = first; index < first + turnover; index++) people.set(...entryOf(createPerson(index, random)));
  const ids = [...people.keys()];
  const groups = new Map([...state.groups].map(([name, members]) => [name, changeMembers(members, ids, random)]));
  return { people, groups };
}

/** Returns the effects of the synchronization from one state to another, each once. They name people by external ID. */
export function effectsBetween(before: DirectoryState, after: DirectoryState): string[] {
  const effects: string[] = [];
  for (const [id, person] of after.people) effects.push(...personEffects(id, before.people.get(id), person));
  for (const id of before.people.keys()) if (!after.people.has(id)) effects.push(`user.deleted ${id}`);
  for (const [name, members] of after.groups) {
    const previous = before.groups.get(name);
    if (!previous) effects.push(`group.created ${name}`);
    for (const id of members) if (!previous?.has(id)) effects.push(`group.member_added ${name} ${id}`);
    for (const id of previous ?? []) if (!members.has(id)) effects.push(`group.member_removed ${name} ${id}`);
  }
  return effects;
}

function personEffects(id: string, before: Person | undefined, after: Person): string[] {
  if (!before) return [`user.created ${id} ${after.email}`, ...(after.active ? [] : [`user.suspended ${id}`])];
  const changes = [
    ...(before.email === after.email ? [] : [`email=${after.email}`]),
    ...(before.givenName === after.givenName ? [] : [`firstName=${after.givenName}`]),
  ];
  return [
    ...(changes.length > 0 ? [`user.updated ${id} ${changes.join(' ')}`] : []),
    ...(before.active === after.active ? [] : [`user.${after.active ? 'activated' : 'suspended'} ${id}`]),
  ];
}

const entryOf = (person: Person): [string, Person] => [person.externalId, person];

function createPerson(index: number, random: Random): Person {
  return {
    externalId: `hr-${index}`,
    userName: `User.${index}@corp.example`,
    email: `person${index}@mail.example`,
    givenName: `Given ${index}`,
    familyName: `Family ${index}`,
    title: `Title ${random.between(1, 9)}`,
    active: !random.chance(INACTIVE_SHARE),
  };
}

function changePerson(person: Person, random: Random): Person {
  const changed = { ...person };
  if (random.chance(CHANGES.givenName)) changed.givenName += '+';
  if (random.chance(CHANGES.title)) changed.title += '+';
  if (random.chance(CHANGES.email)) changed.email = `new-${person.email}`;
  if (!looksUpByUserName(person) && random.chance(CHANGES.userName)) changed.userName = `New.${person.userName}`;
  changed.active = person.active ? !random.chance(CHANGES.suspended) : random.chance(CHANGES.activated);
  return changed;
}

function changeMembers(members: ReadonlySet<string>, ids: readonly string[], random: Random): ReadonlySet<string> {
  const changed = new Set(members);
  for (const id of members) {
    if (!random.chance(MEMBERS_CHANGED_SHARE)) continue;
    changed.delete(id);
    changed.add(random.pick(ids));
  }
  return changed;
}
