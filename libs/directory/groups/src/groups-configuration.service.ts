import { Injectable, type OnModuleInit } from '@nestjs/common';
import { organizationOf, type RequestContext } from '#platform/common';
import {
  type AffectedCount,
  type ConfigurationHandler,
  ConfigurationHandlers,
  type ConfigurationValues,
  defineConfigurationSection,
  readAll,
  type StoredItem,
} from '#platform/configuration-sections';
import { RolesService } from '#directory/roles';
import { GroupConfiguration } from './group.requests.js';
import { GroupRoleAssignmentRepository } from './group-role-assignment.repository.js';
import { GroupRolesService } from './group-roles.service.js';
import { GroupsService } from './groups.service.js';

const SECTION = defineConfigurationSection('groups', {
  type: GroupConfiguration,
  description: 'Groups of the organization and their roles, without members.',
  maxItems: 10_000,
  key: 'name',
  permissions: { read: 'groups:read', write: 'groups:write' },
  rank: 3,
});

/** The groups of organizations and the roles of groups in the configuration. */
@Injectable()
export class GroupsConfigurationService implements ConfigurationHandler<GroupConfiguration>, OnModuleInit {
  constructor(
    private readonly handlers: ConfigurationHandlers,
    private readonly groups: GroupsService,
    private readonly groupRoles: GroupRolesService,
    private readonly assignments: GroupRoleAssignmentRepository,
    private readonly roles: RolesService,
  ) {}

  onModuleInit(): void {
    this.handlers.register(SECTION, this);
  }

  async list(ctx: RequestContext): Promise<StoredItem[]> {
    const organization = organizationOf(ctx);
    const groups = await readAll((request) => this.groups.list(ctx, {}, request));
    if (groups.length === 0) return [];
    const references = await this.roles.listReferences(ctx, organization);
    const assigned = new Map<string, string[]>(groups.map(({ group }) => [group.id, []]));
    for (const { groupId, roleId } of await this.assignments.listOfOrganization(ctx, organization))
      assigned.get(groupId)?.push(references.get(roleId) ?? roleId);
    return groups.map(({ group: { id, name, description, externalId } }) => {
      return { id, values: { name, description, externalId, roles: assigned.get(id)!.toSorted() } };
    });
  }

  /** The order of roles does not matter. Ids stand for the names by which `list` returns the roles. */
  async normalize(ctx: RequestContext, { roles, ...values }: ConfigurationValues): Promise<ConfigurationValues> {
    return roles === undefined ? values : { ...values, roles: await this.namesOf(ctx, roles as string[]) };
  }

  async create(ctx: RequestContext, { roles = [], ...group }: GroupConfiguration): Promise<void> {
    const { id } = await this.groups.create(ctx, group);
    for (const role of roles) await this.groupRoles.assign(ctx, id, role);
  }

  async update(
    ctx: RequestContext,
    { id, values }: StoredItem,
    { roles, ...changes }: Partial<GroupConfiguration>,
  ): Promise<void> {
    if (Object.keys(changes).length > 0) await this.groups.update(ctx, id, changes);
    if (!roles) return;
    const [previous, next] = [values['roles'] as string[], await this.namesOf(ctx, roles)];
    for (const role of next.filter((each) => !previous.includes(each))) await this.groupRoles.assign(ctx, id, role);
    for (const role of previous.filter((each) => !next.includes(each))) await this.groupRoles.revoke(ctx, id, role);
  }

  delete(ctx: RequestContext, { id }: StoredItem): Promise<void> {
    return this.groups.delete(ctx, id);
  }

  async listAffected(ctx: RequestContext, { id }: StoredItem): Promise<AffectedCount[]> {
    const { memberCount } = await this.groups.get(ctx, id);
    return memberCount === 0 ? [] : [{ by: 'user', count: memberCount }];
  }

  private async namesOf(ctx: RequestContext, roles: readonly string[]): Promise<string[]> {
    const references = await this.roles.listReferences(ctx, organizationOf(ctx));
    return roles.map((role) => references.get(role) ?? role).toSorted();
  }
}
