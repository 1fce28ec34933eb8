import { Injectable } from '@nestjs/common';
import type { Changes, RequestContext } from '#platform/common';
import {
  type OrganizationFields,
  type OrganizationFieldsChange,
  OrganizationsConfigurationService,
} from '#directory/organizations';
import { contextAt } from './configuration-state.service.js';
import { type ConfigurationStep, ORGANIZATION_SECTION } from './configuration-step.js';
import type { WantedOrganization } from './configuration-tree.js';

/** The fields that a new organization gets when it is created. The others can refer to its roles. */
const FIELDS_OF_CREATION = ['name', 'description', 'type'] as const;

const NEW_ORGANIZATION: Required<OrganizationFields> = {
  name: '',
  description: null,
  type: 'standard',
  branding: null,
  settings: {},
  lockedSettings: [],
};

/** The steps of the fields of an organization. */
export interface OrganizationSteps {
  readonly creation: readonly ConfigurationStep[];
  readonly updates: readonly ConfigurationStep[];
  readonly locks: readonly ConfigurationStep[];
}

/** Compares the fields of organizations with a document: name, branding, settings and locks. */
@Injectable()
export class OrganizationStepsService {
  constructor(private readonly organizations: OrganizationsConfigurationService) {}

  async list(ctx: RequestContext, wanted: WantedOrganization, prune: boolean): Promise<OrganizationSteps> {
    const { configuration, stored, scope } = wanted;
    const fields = fieldsOf(configuration);
    const at = contextAt(ctx, scope, 'organizations:read');
    if (stored)
      return { creation: [], ...this.updatesOf(wanted, await this.organizations.findChange(at, stored.fields, fields, prune)) };
    const { name = wanted.slug, description = null, type = 'standard', ...rest } = fields;
    const created = { name, description, type };
    const change = await this.organizations.findChange(at, { ...NEW_ORGANIZATION, ...created }, rest, false);
    return { creation: [this.creationOf(wanted, created)], ...this.updatesOf(wanted, change) };
  }

  private creationOf(
    wanted: WantedOrganization,
    fields: Pick<OrganizationFields, 'name' | 'description' | 'type'>,
  ): ConfigurationStep {
    const { slug, parent = '' } = wanted;
    const changes = FIELDS_OF_CREATION.map((field) => [field, { from: null, to: fields[field] }]);
    return {
      ...commonOf(wanted),
      action: 'create',
      at: parent,
      changes: Object.fromEntries(changes) as Changes,
      run: (ctx) => this.organizations.create(ctx, slug, fields),
    };
  }

  private updatesOf(
    wanted: WantedOrganization,
    change: OrganizationFieldsChange | undefined,
  ): Pick<OrganizationSteps, 'updates' | 'locks'> {
    const stepOf = (patch: object | undefined, changes: [string, Changes[string]][]): ConfigurationStep[] =>
      patch
        ? [
            {
              ...commonOf(wanted),
              action: 'update',
              changes: Object.fromEntries(changes),
              findEffects: async (ctx) => ({ settings: await this.organizations.preview(ctx, patch) }),
              run: async (ctx) => {
                await this.organizations.update(ctx, patch);
                return undefined;
              },
            },
          ]
        : [];
    const changes = Object.entries(change?.changes ?? {});
    const isLock = ([path]: [string, unknown]): boolean => path === 'lockedSettings' && change?.locks !== undefined;
    return {
      updates: stepOf(
        change?.patch,
        changes.filter((each) => !isLock(each)),
      ),
      locks: stepOf(change?.locks, changes.filter(isLock)),
    };
  }
}

const commonOf = ({ slug, pointer }: WantedOrganization) => ({
  organization: slug,
  section: ORGANIZATION_SECTION,
  name: slug,
  at: slug,
  pointer,
  permission: 'organizations:write' as const,
});

/** Returns the fields of a configuration that are no sections. */
function fieldsOf(configuration: object): OrganizationFields {
  const { name, description, type, branding, settings, lockedSettings } = configuration as OrganizationFields;
  const fields = { name, description, type, branding, settings, lockedSettings };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as OrganizationFields;
}
