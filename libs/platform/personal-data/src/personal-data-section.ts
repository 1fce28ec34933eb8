import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { row, type RowType } from '#platform/database';
import type { Field } from './field.js';
import { PersonalDataExportResponse } from './personal-data.responses.js';

type Fields = Readonly<Record<string, Field>>;

interface SectionDefinition<F extends Fields> {
  readonly description: string;
  /** Whether the section is one object instead of a list. */
  readonly single?: boolean;
  /** The tables whose rows about a user the section contains. */
  readonly tables: readonly string[];
  readonly fields: F;
}

/** A part of the export, for example the sessions of the user. */
export interface PersonalDataSection<T = unknown> {
  readonly name: string;
  readonly single: boolean;
  readonly tables: readonly string[];
  /** The type of the rows of the section. */
  readonly row: RowType<T>;
}

/** The key under which @nestjs/swagger stores the names of the properties of a class. */
const PROPERTY_NAMES = 'swagger/apiModelPropertiesArray';

const sections = new Map<string, PersonalDataSection>();

/** Returns all sections, in the order of their names. */
export const personalDataSections = (): readonly PersonalDataSection[] =>
  [...sections.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Defines a section of the export of a user, with its schema in OpenAPI. Runs when a library is loaded. The library also registers the
 * reader of the section with `PersonalDataSources`. A section never contains secrets, such as hashes, seeds and tokens.
 */
export function definePersonalData<F extends Fields>(
  name: string,
  { description, single = false, tables, fields }: SectionDefinition<F>,
): PersonalDataSection<{ -readonly [Name in keyof F]: F[Name]['column'] extends { readonly value?: infer T } ? T : never }> {
  if (sections.has(name)) throw new Error(`The section ${name} of personal data is defined twice.`);
  const model = modelOf(name, fields);
  ApiProperty({ description, type: single ? model : [model] })(PersonalDataExportResponse.prototype, name);
  sortProperties();
  const columns = Object.fromEntries(Object.entries(fields).map(([key, { column }]) => [key, column]));
  const section = { name, single, tables, row: row(columns as Parameters<typeof row>[0]) };
  sections.set(name, section);
  return section as never;
}

/** Sorts the fields of the response in OpenAPI. Otherwise their order would depend on the order in which libraries are loaded. */
function sortProperties(): void {
  const names = Reflect.getMetadata(PROPERTY_NAMES, PersonalDataExportResponse.prototype) as readonly string[];
  Reflect.defineMetadata(PROPERTY_NAMES, names.toSorted(), PersonalDataExportResponse.prototype);
}

/** Returns the class of the rows, from which OpenAPI gets the schema. */
function modelOf(name: string, fields: Fields): Type<unknown> {
  const model = class {};
  Object.defineProperty(model, 'name', { value: `PersonalData${name[0]?.toUpperCase()}${name.slice(1)}` });
  for (const [key, { schema }] of Object.entries(fields)) ApiProperty(schema)(model.prototype, key);
  return model;
}
