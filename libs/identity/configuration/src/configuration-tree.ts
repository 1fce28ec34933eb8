import { type FieldProblem, InvalidRequest, type OrganizationScope, type FieldProblemCode } from '#platform/common';
import type { OrganizationConfiguration } from '#platform/configuration-sections';
import type { StoredOrganization } from './configuration-state.service.js';

/** An organization of a document, with the organization that it describes if it exists. */
export interface WantedOrganization {
  readonly slug: string;
  readonly parent: string | undefined;
  readonly configuration: OrganizationConfiguration;
  readonly pointer: string;
  readonly stored: StoredOrganization | undefined;
  /** The stored organization, or a new organization without an id below its parent. */
  readonly scope: OrganizationScope;
}

type Unplaced = Omit<WantedOrganization, 'scope'>;

/**
 * Returns the organizations of a document, parents before their children. The first stored organization is the one in the path.
 * @throws InvalidRequest (400) if the organizations are no tree, or an organization has another parent
 */
export function wantedOrganizations(
  configurations: readonly OrganizationConfiguration[],
  stored: readonly StoredOrganization[],
): WantedOrganization[] {
  const problems = problemsOfTree(configurations);
  if (problems.length > 0) throw new InvalidRequest(problems);
  const [root] = stored;
  const bySlug = new Map(stored.slice(1).map((each) => [each.slug, each]));
  const unplaced = configurations.map((configuration, index): Unplaced => {
    const { slug, parent } = configuration;
    return { slug, parent, configuration, pointer: pointerTo(index), stored: parent === undefined ? root : bySlug.get(slug) };
  });
  const sorted = parentsFirst(unplaced);
  const byId = new Map(sorted.map((each) => [each.slug, each.stored?.id]));
  const moved = sorted.filter(
    (each) => each.parent !== undefined && each.stored && each.stored.parentId !== byId.get(each.parent),
  );
  if (moved.length === 0) return withScopes(sorted);
  throw new InvalidRequest(
    moved.map(({ slug, pointer }) =>
      problem(
        `${pointer}/parent`,
        'not_changeable',
        `The organization "${slug}" has another parent. Move it first (POST …/move).`,
      ),
    ),
  );
}

/** Adds the scopes to organizations that are sorted, parents first. */
function withScopes(organizations: readonly Unplaced[]): WantedOrganization[] {
  const scopes = new Map<string, OrganizationScope>();
  return organizations.map((organization) => {
    const { slug, parent = '', configuration, stored } = organization;
    const { tenantId, id, ancestorIds } = scopes.get(parent) ?? { tenantId: '', id: '', ancestorIds: [] };
    const { name = slug } = configuration as { name?: string };
    const added = { id: '', tenantId, name, slug, status: 'active' as const, ancestorIds: [...ancestorIds, id] };
    const scope = stored?.scope ?? added;
    scopes.set(slug, scope);
    return { ...organization, scope };
  });
}

const pointerTo = (index: number): string => `/document/organizations/${index}`;
const problem = (pointer: string, code: FieldProblemCode, message: string): FieldProblem => ({
  pointer,
  in: 'body',
  code,
  message,
});

function problemsOfTree(configurations: readonly OrganizationConfiguration[]): FieldProblem[] {
  const slugs = configurations.map(({ slug }) => slug);
  const roots = configurations.filter(({ parent }) => parent === undefined);
  if (roots.length !== 1) {
    const message = `Exactly one organization must have no parent: the organization in the path. ${roots.length} have none.`;
    return [problem('/document/organizations', 'invalid_tree', message)];
  }
  return configurations.flatMap(({ slug, parent }, index) => {
    if (slugs.indexOf(slug) !== index)
      return [problem(`${pointerTo(index)}/slug`, 'duplicate', `The slug "${slug}" occurs twice.`)];
    if (parent === undefined || (slugs.includes(parent) && parent !== slug)) return [];
    return [
      problem(
        `${pointerTo(index)}/parent`,
        'not_found',
        `The document has no organization "${parent}" for the parent of "${slug}".`,
      ),
    ];
  });
}

/** @throws InvalidRequest (400) for organizations that are ancestors of each other */
function parentsFirst(organizations: readonly Unplaced[]): Unplaced[] {
  const children = new Map<string | undefined, Unplaced[]>();
  for (const each of organizations) children.set(each.parent, [...(children.get(each.parent) ?? []), each]);
  const sorted = [...(children.get(undefined) ?? [])];
  for (const { slug } of sorted) sorted.push(...(children.get(slug) ?? []));
  if (sorted.length === organizations.length) return sorted;
  const lost = organizations.filter((each) => !sorted.includes(each));
  throw new InvalidRequest(
    lost.map(({ pointer, slug }) =>
      problem(`${pointer}/parent`, 'invalid_tree', `The organization "${slug}" is its own ancestor.`),
    ),
  );
}
