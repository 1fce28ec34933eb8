import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ObjectField, TextListField } from '#platform/http';
import type { Changes } from '#platform/common';
import { POLICY_FIELDS, type ResolvedSettings, SETTING_FIELDS, type SettingField } from './settings.js';
import { LOCKED_SETTINGS_FIELD, type LockedSettings, SettingsRequest } from './settings.requests.js';

export class PreviewSettingsRequest {
  @ObjectField(() => SettingsRequest, { description: 'Settings to change, as in an update of the organization.' })
  settings?: SettingsRequest;

  @TextListField({ ...LOCKED_SETTINGS_FIELD })
  lockedSettings?: LockedSettings;
}

/** The schema of a setting of any type. */
export const ANY_SETTING = {
  oneOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string' }, { type: 'array', items: { type: 'string' } }],
};

export class SettingOriginResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'Acme Inc.' }) name!: string;
}

export class ExplainedSettingResponse {
  @ApiProperty({ ...ANY_SETTING, description: 'Effective value of the setting.', example: 15 }) value!: unknown;

  @ApiProperty({
    description:
      'Source of the value: `default` if the value is a default of the service, otherwise the organization that sets the value.',
    oneOf: [{ type: 'string', enum: ['default'] }, { $ref: '#/components/schemas/SettingOriginResponse' }],
    example: 'default',
  })
  source!: 'default' | SettingOriginResponse;

  @ApiPropertyOptional({
    type: SettingOriginResponse,
    description: 'Ancestor organization that locks the setting. Absent if the setting is not locked.',
  })
  lockedBy?: SettingOriginResponse;
}

export class ExplainedPasswordPolicyResponse {}
for (const part of POLICY_FIELDS)
  ApiProperty({ type: ExplainedSettingResponse })(ExplainedPasswordPolicyResponse.prototype, part);

export class ExplainedSettingsResponse {}
for (const field of SETTING_FIELDS) {
  const type = field === 'passwordPolicy' ? ExplainedPasswordPolicyResponse : ExplainedSettingResponse;
  ApiProperty({ type })(ExplainedSettingsResponse.prototype, field);
}

export type ExplainedSettings = Record<SettingField, ExplainedSettingResponse | Record<string, ExplainedSettingResponse>>;

export function explainedSettings({ values, sources, lockedBy }: ResolvedSettings): ExplainedSettings {
  const explained = (path: string, field: SettingField, value: unknown): ExplainedSettingResponse => ({
    value,
    source: sources[path] ?? 'default',
    ...(lockedBy[field] ? { lockedBy: lockedBy[field] } : {}),
  });
  return Object.fromEntries(
    SETTING_FIELDS.map((field) => [
      field,
      field === 'passwordPolicy'
        ? Object.fromEntries(
            POLICY_FIELDS.map((part) => [part, explained(`passwordPolicy.${part}`, field, values.passwordPolicy[part])]),
          )
        : explained(field, field, values[field]),
    ]),
  ) as ExplainedSettings;
}

export class UsersOutOfLineResponse {
  @ApiProperty({
    type: 'integer',
    example: 3,
    description: 'Number of users without an MFA factor. 0 unless the change makes MFA required.',
  })
  withoutMfa!: number;
  @ApiProperty({ type: 'integer', example: 0, description: 'Number of users whose email domain would not be allowed.' })
  domainNotAllowed!: number;
  @ApiProperty({
    type: 'integer',
    example: 12,
    description:
      'Number of users who set their password under the current password policy. 0 unless the change makes the password policy stricter.',
  })
  passwordOlderThanPolicy!: number;
  @ApiProperty({
    type: 'integer',
    example: 0,
    description:
      'Number of users who are not linked to an identity provider yet. 0 unless the change requires sign-in with an identity provider.',
  })
  withoutIdentity!: number;
}

export class PreviewedOrganizationResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'Acme Europe' }) name!: string;

  @ApiProperty({
    description:
      'Settings that would change, by name. Fields of the password policy are named `passwordPolicy.minLength` and so on.',
    type: 'object',
    additionalProperties: { type: 'object', required: ['from', 'to'], properties: { from: ANY_SETTING, to: ANY_SETTING } },
    example: { requireMfa: { from: false, to: true } },
  })
  changes!: Changes;

  @ApiProperty({ type: 'integer', example: 42, description: 'Number of users that the organization manages.' })
  userCount!: number;
  @ApiProperty({ type: UsersOutOfLineResponse }) usersOutOfLine!: UsersOutOfLineResponse;
}

export class SettingsPreviewResponse {
  @ApiProperty({
    type: [PreviewedOrganizationResponse],
    description: 'Organizations whose effective settings would change: the organization itself and its descendants.',
  })
  organizations!: PreviewedOrganizationResponse[];

  @ApiProperty({ type: 'integer', example: 1, description: 'Number of organizations that would change.' })
  organizationCount!: number;
}
