import { OrganizationConfiguration } from '#platform/configuration-sections';
import { BooleanField, ExactTextField, IntegerField, ObjectField, ObjectListField } from '#platform/http';

/** Maximum number of organizations of a document. */
export const ORGANIZATIONS_MAX = 500;

/** The configuration of an organization and its descendants. */
export class ConfigurationDocument {
  @IntegerField({ description: 'Version of the format.', min: 1, max: 1, required: true, example: 1 })
  version!: number;

  @ObjectListField(() => OrganizationConfiguration, {
    description:
      'The organization in the path, which has no `parent`, and its descendants. Sections and fields that are absent are not changed.',
    required: true,
    minItems: 1,
    maxItems: ORGANIZATIONS_MAX,
  })
  organizations!: OrganizationConfiguration[];
}

export class PlanConfigurationRequest {
  @ObjectField(() => ConfigurationDocument, { description: 'The wanted configuration.', required: true })
  document!: ConfigurationDocument;

  @BooleanField({
    description:
      'Whether to delete the items that a section of the document does not list, and to remove the settings and branding that it does not contain. Organizations are never deleted.',
    default: false,
  })
  prune?: boolean;
}

export class ApplyConfigurationRequest extends PlanConfigurationRequest {
  @ExactTextField({
    description: 'The `state` of the plan. If the configuration has changed since the plan, nothing is changed.',
    maxLength: 100,
    required: true,
    example: 'Xr4ilOzQ4PCOq3aQ0qbuaQeyvP2XvC8wJd4n0sU0Yt8',
  })
  state!: string;
}
