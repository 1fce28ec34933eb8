import { addConfigurationField } from '#platform/configuration-sections';
import { ChoiceField, ObjectField, TextField, TextListField } from '#platform/http';
import { BrandingRequest, ORGANIZATION_TYPES, type UpdateOrganizationRequest } from '../organization.requests.js';
import { LOCKED_SETTINGS_FIELD, SettingsRequest } from '../settings/settings.requests.js';

/** The fields of an organization in its configuration. */
export type OrganizationFields = Pick<
  UpdateOrganizationRequest,
  'name' | 'description' | 'type' | 'branding' | 'settings' | 'lockedSettings'
>;

const FIELDS: Readonly<Record<keyof OrganizationFields, PropertyDecorator>> = {
  name: TextField({
    description: 'Display name. Default for a new organization: its slug.',
    maxLength: 200,
    example: 'Acme Inc.',
  }),
  description: TextField({
    description: 'Description of the organization. `null` removes it.',
    maxLength: 2000,
    multiline: true,
    nullable: true,
  }),
  type: ChoiceField({ description: 'Type of the organization.', choices: ORGANIZATION_TYPES }),
  branding: ObjectField(() => BrandingRequest, {
    description: 'Colors and images for emails and sign-in pages. `null` removes all fields.',
    nullable: true,
  }),
  settings: ObjectField(() => SettingsRequest, {
    description: 'Settings that the organization overrides. `defaultRole` is the name of the role.',
  }),
  lockedSettings: TextListField({ ...LOCKED_SETTINGS_FIELD }),
};

for (const [name, decorate] of Object.entries(FIELDS)) addConfigurationField(name, decorate);
