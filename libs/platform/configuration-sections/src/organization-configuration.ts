import { TextField } from '#platform/http';

const SLUG = {
  maxLength: 63,
  pattern: /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
  patternMessage: 'must be the slug of an organization.',
};

/** The configuration of one organization. Each library adds its fields and sections. */
export class OrganizationConfiguration {
  @TextField({
    ...SLUG,
    description:
      'Slug of the organization. The organization in the path is the one without `parent`, whatever its slug in the document is.',
    required: true,
    example: 'acme',
  })
  slug!: string;

  @TextField({
    ...SLUG,
    description: 'Slug of the parent organization. Absent for the organization in the path.',
    example: 'acme-group',
  })
  parent?: string;
}

/** The key under which @nestjs/swagger stores the names of the properties of a class. */
const PROPERTY_NAMES = 'swagger/apiModelPropertiesArray';

/** Adds a field to the configuration of organizations, with its validation and schema. Runs when a library is loaded. */
export function addConfigurationField(name: string, decorate: PropertyDecorator): void {
  const { prototype } = OrganizationConfiguration;
  // The compiler adds this type to declared fields, and @nestjs/swagger requires it.
  Reflect.defineMetadata('design:type', Object, prototype, name);
  decorate(prototype, name);
  // Otherwise the order in OpenAPI would depend on the order in which libraries are loaded.
  const names = Reflect.getMetadata(PROPERTY_NAMES, prototype) as readonly string[];
  Reflect.defineMetadata(PROPERTY_NAMES, names.toSorted(), prototype);
}
