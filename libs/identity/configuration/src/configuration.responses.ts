import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Changes } from '#platform/common';
import { PreviewedOrganizationResponse } from '#directory/organizations';
import type { ConfigurationPlan, PlannedChange } from './configuration-plan.service.js';

const ORGANIZATION = { description: 'Slug of the organization in the document.', example: 'acme' };
const SECTION = {
  description: '`organization` for the fields of the organization itself, otherwise the section, such as `roles`.',
  example: 'roles',
};
const NAME = { description: 'What identifies the item in its section, such as its name.', example: 'billing' };

export class ConfigurationItemResponse {
  @ApiProperty(ORGANIZATION) organization!: string;
  @ApiProperty(SECTION) section!: string;
  @ApiProperty(NAME) name!: string;
}

export class AffectedCountResponse {
  @ApiProperty({ description: 'What is affected, such as `user` or `group`.', example: 'user' }) by!: string;
  @ApiProperty({ description: 'How many are affected.', type: 'integer', example: 12 }) count!: number;
}

export class ConfigurationChangeResponse extends ConfigurationItemResponse {
  @ApiProperty({ description: 'What happens.', enum: ['create', 'update', 'delete'], example: 'update' })
  action!: 'create' | 'update' | 'delete';

  @ApiProperty({
    description: 'Fields that change. Empty for a deletion.',
    type: 'object',
    additionalProperties: { type: 'object', required: ['from', 'to'], properties: { from: {}, to: {} } },
    example: { permissions: { from: ['invoices:read'], to: ['invoices:read', 'invoices:write'] } },
  })
  changes!: Changes;

  @ApiPropertyOptional({
    type: [AffectedCountResponse],
    description: 'Whom or what the change concerns: who has a role, the members of a group.',
  })
  affected?: AffectedCountResponse[];

  @ApiPropertyOptional({
    type: [PreviewedOrganizationResponse],
    description: 'For settings and locks: the organizations whose effective settings change, and their users.',
  })
  settings?: PreviewedOrganizationResponse[];
}

export class ConfigurationProblemResponse extends ConfigurationItemResponse {
  @ApiProperty({
    description: 'JSON Pointer into the request. Empty for a deletion.',
    example: '/document/organizations/0/roles/1',
  })
  pointer!: string;
  @ApiProperty({ description: 'Code of the error, as in single requests.', example: 'forbidden' }) code!: string;
  @ApiProperty({
    description: 'What is wrong and how to fix it.',
    example: 'This change requires the permission "roles:write".',
  })
  message!: string;
}

export class ConfigurationPlanResponse {
  @ApiProperty({
    description: 'Hash of the present configuration, for `POST …/configuration/apply`.',
    example: 'Xr4ilOzQ4PCOq3aQ0qbuaQeyvP2XvC8wJd4n0sU0Yt8',
  })
  state!: string;

  @ApiProperty({ type: [ConfigurationChangeResponse], description: 'What would change, in the order of the changes.' })
  changes!: ConfigurationChangeResponse[];

  @ApiProperty({
    type: [ConfigurationProblemResponse],
    description: 'Why changes would fail. A plan with problems is not applied.',
  })
  problems!: ConfigurationProblemResponse[];

  @ApiProperty({
    type: [ConfigurationItemResponse],
    description:
      'What exists and is not in the document: items of its sections that stay, and organizations (section `organization`).',
  })
  unmanaged!: ConfigurationItemResponse[];

  static from({ state, changes, problems, unmanaged }: ConfigurationPlan): ConfigurationPlanResponse {
    const shown = problems.flatMap(({ organization, section, name, fields }) =>
      fields.map(({ pointer, code, message }) => ({ organization, section, name, pointer, code, message })),
    );
    return { state, changes: changes.map(changeOf), problems: shown, unmanaged: [...unmanaged] };
  }
}

export class AppliedConfigurationResponse {
  @ApiProperty({
    description: 'Hash of the configuration after the changes.',
    example: 'Xr4ilOzQ4PCOq3aQ0qbuaQeyvP2XvC8wJd4n0sU0Yt8',
  })
  state!: string;
  @ApiProperty({ type: [ConfigurationChangeResponse], description: 'What changed, in the order of the changes.' })
  changes!: ConfigurationChangeResponse[];

  static from({ state, changes }: Pick<ConfigurationPlan, 'state' | 'changes'>): AppliedConfigurationResponse {
    return { state, changes: changes.map(changeOf) };
  }
}

const changeOf = ({ affected, settings, ...change }: PlannedChange): ConfigurationChangeResponse => ({
  ...change,
  ...(affected ? { affected: [...affected] } : {}),
  ...(settings && settings.length > 0 ? { settings: [...settings] } : {}),
});
