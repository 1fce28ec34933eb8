import type { Type } from '@nestjs/common';
import { ObjectListField } from '#platform/http';
import type { RequestContext, ServicePermission } from '#platform/common';
import { addConfigurationField } from './organization-configuration.js';

/** The fields of an item as in the document. */
export type ConfigurationValues = Readonly<Record<string, unknown>>;

/** An item that exists, with all fields of the document. */
export interface StoredItem {
  readonly id: string;
  readonly values: ConfigurationValues;
}

/** How many people or things of a kind a change concerns. */
export interface AffectedCount {
  readonly by: string;
  readonly count: number;
}

/** The rank of the settings of an organization among the ranks of the sections. */
export const SETTINGS_RANK = 2;

/** A list of items of an organization in the document, such as its roles. */
export interface ConfigurationSection {
  readonly name: string;
  /** The field that identifies an item. Items with the same value are matched in their order. */
  readonly key: string;
  /** Fields that are only written when an item is created, such as secrets. They are not compared. */
  readonly onlyAtCreation: readonly string[];
  readonly permissions: { readonly read: ServicePermission; readonly write: ServicePermission };
  /** Items are written in the order of the ranks, so that items can refer to items of lower ranks. */
  readonly rank: number;
}

interface SectionOptions<T> extends Pick<ConfigurationSection, 'permissions' | 'rank'> {
  readonly type: Type<T>;
  readonly description: string;
  readonly maxItems: number;
  readonly key: keyof T & string;
  readonly onlyAtCreation?: readonly (keyof T & string)[];
}

/** Reads and writes the items of a section with the services of single requests. The context has the organization and its permissions. */
export interface ConfigurationHandler<T> {
  /** Returns all items of the organization, oldest first. */
  list(ctx: RequestContext): Promise<readonly StoredItem[]>;
  /** Returns fields of the document in the form that `list` returns, for the comparison. */
  normalize?(ctx: RequestContext, values: ConfigurationValues): Promise<ConfigurationValues>;
  /** Checks what needs the network, before the transaction. `changes` is undefined for a new item. @throws DomainError */
  check?(ctx: RequestContext, item: T, changes: Partial<T> | undefined): Promise<void>;
  /** @throws DomainError */
  create(ctx: RequestContext, item: T): Promise<unknown>;
  /** Changes the fields of `changes`. @throws DomainError */
  update(ctx: RequestContext, stored: StoredItem, changes: Partial<T>): Promise<unknown>;
  /** @throws DomainError */
  delete(ctx: RequestContext, stored: StoredItem): Promise<unknown>;
  /** Returns whom or what a change of the item concerns. */
  listAffected?(ctx: RequestContext, stored: StoredItem): Promise<readonly AffectedCount[]>;
}

const sections = new Map<string, ConfigurationSection>();

/** Returns all sections in the order of their ranks. */
export const configurationSections = (): readonly ConfigurationSection[] =>
  [...sections.values()].toSorted((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));

/**
 * Defines a section of the configuration of organizations, with its schema in OpenAPI. Runs when a library is loaded. The library also
 * registers a handler with `ConfigurationHandlers`.
 */
export function defineConfigurationSection<T extends object>(
  name: string,
  { type, description, maxItems, onlyAtCreation = [], ...options }: SectionOptions<T>,
): ConfigurationSection {
  if (sections.has(name)) throw new Error(`The section ${name} of the configuration is defined twice.`);
  addConfigurationField(
    name,
    ObjectListField(() => type, { description, minItems: 0, maxItems }),
  );
  const section = { ...options, name, onlyAtCreation };
  sections.set(name, section);
  return section;
}
