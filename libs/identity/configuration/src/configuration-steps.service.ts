import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type Changes, InvalidRequest, type RequestContext } from '#platform/common';
import {
  ConfigurationHandlers,
  type ConfigurationSection,
  configurationSections,
  type ConfigurationValues,
  SETTINGS_RANK,
  type StoredItem,
} from '#platform/configuration-sections';
import { contextAt } from './configuration-state.service.js';
import type { ConfigurationItem, ConfigurationStep } from './configuration-step.js';
import type { WantedOrganization } from './configuration-tree.js';
import { OrganizationStepsService } from './organization-steps.service.js';

/** The steps from the stored configuration to the wanted one. */
export interface ConfigurationSteps {
  /** In the order in which they run. Steps of an organization that follow each other belong to one transaction. */
  readonly steps: readonly ConfigurationStep[];
  readonly unmanaged: readonly ConfigurationItem[];
}

/** Sections of a document by name. */
export const sectionsOf = (organizations: readonly object[]): ConfigurationSection[] =>
  configurationSections().filter(({ name }) => organizations.some((each) => (each as ConfigurationValues)[name] !== undefined));

/** Compares the stored configuration with a document. */
@Injectable()
export class ConfigurationStepsService {
  constructor(
    private readonly handlers: ConfigurationHandlers,
    private readonly organizationSteps: OrganizationStepsService,
  ) {}

  /**
   * Returns the steps. Organizations are created and changed from the root down. Removals and new locks follow from the leaves up, because
   * descendants can use what is removed and can't change locked settings.
   */
  async list(ctx: RequestContext, wanted: readonly WantedOrganization[], prune: boolean): Promise<ConfigurationSteps> {
    const [changes, removals]: [ConfigurationStep[], ConfigurationStep[][]] = [[], []];
    const unmanaged: ConfigurationItem[] = [];
    for (const organization of wanted) {
      const fields = await this.organizationSteps.list(ctx, organization, prune);
      const removed: ConfigurationStep[] = [];
      changes.push(...fields.creation);
      const compared: { rank: number; steps: readonly ConfigurationStep[] }[] = [{ rank: SETTINGS_RANK, steps: fields.updates }];
      for (const section of sectionsOf([organization.configuration])) {
        const { steps, rest } = await this.compare(ctx, organization, section);
        compared.push({ rank: section.rank, steps });
        if (prune) removed.unshift(...rest.map((item) => this.removalOf(organization, section, item)));
        else unmanaged.push(...rest.map((item) => itemOf(organization, section, item.values)));
      }
      changes.push(...compared.toSorted((a, b) => a.rank - b.rank).flatMap(({ steps }) => steps));
      removals.unshift([...removed, ...fields.locks]);
    }
    return { steps: [...changes, ...removals.flat()], unmanaged };
  }

  /** Returns the steps to the items of a section, and the stored items that the section does not list. */
  private async compare(
    ctx: RequestContext,
    organization: WantedOrganization,
    section: ConfigurationSection,
  ): Promise<{ steps: ConfigurationStep[]; rest: StoredItem[] }> {
    const items = (organization.configuration as unknown as Record<string, readonly object[]>)[section.name] ?? [];
    const rest = [...(organization.stored?.items.get(section.name) ?? [])];
    const steps: ConfigurationStep[] = [];
    for (const [index, item] of items.entries()) {
      const pointer = `${organization.pointer}/${section.name}/${index}`;
      const values = await this.normalized(ctx, organization, section, item, pointer);
      const position = rest.findIndex((each) => each.values[section.key] === values[section.key]);
      const [stored] = position < 0 ? [] : rest.splice(position, 1);
      if (!stored) steps.push(this.creationOf(organization, section, item, values, pointer));
      else {
        const changes = changesTo(stored.values, values, section);
        if (Object.keys(changes).length > 0) steps.push(this.updateOf(organization, section, item, stored, changes, pointer));
      }
    }
    return { steps, rest };
  }

  /** Returns the fields of an item in the form of stored items. @throws InvalidRequest (400) */
  private async normalized(
    ctx: RequestContext,
    { scope }: WantedOrganization,
    section: ConfigurationSection,
    item: object,
    pointer: string,
  ): Promise<ConfigurationValues> {
    const values = JSON.parse(JSON.stringify(item)) as ConfigurationValues;
    const handler = this.handlers.of(section);
    if (!handler.normalize) return values;
    try {
      return await handler.normalize(contextAt(ctx, scope, section.permissions.read), values);
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      throw new InvalidRequest(error.errors.map((each) => ({ ...each, in: 'body', pointer: `${pointer}${each.pointer}` })));
    }
  }

  private creationOf(
    organization: WantedOrganization,
    section: ConfigurationSection,
    item: object,
    values: ConfigurationValues,
    pointer: string,
  ): ConfigurationStep {
    const handler = this.handlers.of(section);
    const shown = Object.entries(values).filter(([field]) => field !== section.key && !section.onlyAtCreation.includes(field));
    return {
      ...itemOf(organization, section, values),
      ...commonOf(organization, section),
      action: 'create',
      changes: Object.fromEntries(shown.map(([field, to]) => [field, { from: null, to }])),
      pointer,
      check: async (ctx) => handler.check?.(ctx, item, undefined),
      run: async (ctx) => void (await handler.create(ctx, definedOf(item))),
    };
  }

  private updateOf(
    organization: WantedOrganization,
    section: ConfigurationSection,
    item: object,
    stored: StoredItem,
    changes: Changes,
    pointer: string,
  ): ConfigurationStep {
    const handler = this.handlers.of(section);
    const changed = Object.fromEntries(Object.entries(item).filter(([field]) => field in changes));
    return {
      ...itemOf(organization, section, stored.values),
      ...commonOf(organization, section),
      action: 'update',
      changes,
      pointer,
      check: async (ctx) => handler.check?.(ctx, item, changed),
      findEffects: async (ctx) => ({ affected: (await handler.listAffected?.(ctx, stored)) ?? [] }),
      run: async (ctx) => void (await handler.update(ctx, stored, changed)),
    };
  }

  private removalOf(organization: WantedOrganization, section: ConfigurationSection, stored: StoredItem): ConfigurationStep {
    const handler = this.handlers.of(section);
    return {
      ...itemOf(organization, section, stored.values),
      ...commonOf(organization, section),
      action: 'delete',
      changes: {},
      pointer: '',
      findEffects: async (ctx) => ({ affected: (await handler.listAffected?.(ctx, stored)) ?? [] }),
      run: async (ctx) => void (await handler.delete(ctx, stored)),
    };
  }
}

const itemOf = (
  { slug }: WantedOrganization,
  { name, key }: ConfigurationSection,
  values: ConfigurationValues,
): ConfigurationItem => ({
  organization: slug,
  section: name,
  name: String(values[key]),
});

const commonOf = ({ slug }: WantedOrganization, { permissions }: ConfigurationSection) => ({
  at: slug,
  permission: permissions.write,
});

/** Returns the fields that a document changes. Absent fields stay as they are. */
function changesTo(stored: ConfigurationValues, wanted: ConfigurationValues, section: ConfigurationSection): Changes {
  const changed = Object.entries(wanted).filter(
    ([field, value]) => !section.onlyAtCreation.includes(field) && !isDeepStrictEqual(value, stored[field]),
  );
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: stored[field] ?? null, to }]));
}

const definedOf = (item: object): object => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
