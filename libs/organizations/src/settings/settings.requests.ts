import { BooleanField, IntegerField, LocaleField, ObjectField, TextField, TextListField } from '#http';
import { ApiProperty } from '@nestjs/swagger';
import {
  MAX_SESSION_LIFETIME_SECONDS,
  MFA_METHODS,
  type MfaMethod,
  SETTING_FIELDS,
  type SettingField,
  type SettingsPatch,
} from './settings.js';

const INHERIT = ' `null` inherits again.';

export class PasswordPolicyRequest {
  @IntegerField({
    description: `Least number of characters; with single-factor sign-in 15 is the standard's advice.${INHERIT}`,
    min: 8,
    max: 256,
    nullable: true,
    example: 15,
  })
  minLength?: number | null;

  @BooleanField({ description: `Whether an upper-case letter is needed.${INHERIT}`, nullable: true })
  requireUppercase?: boolean | null;

  @BooleanField({ description: `Whether a digit is needed.${INHERIT}`, nullable: true })
  requireNumbers?: boolean | null;

  @BooleanField({ description: `Whether a symbol is needed.${INHERIT}`, nullable: true })
  requireSymbols?: boolean | null;

  @IntegerField({ description: `How many previous passwords can't be used again.${INHERIT}`, min: 0, max: 24, nullable: true })
  preventReuse?: number | null;
}

/** A subset of the settings; each field may be `null` to inherit it (again). */
export class SettingsRequest implements SettingsPatch {
  @BooleanField({ description: `Whether anyone may sign up.${INHERIT}`, nullable: true })
  allowPublicSignup?: boolean | null;

  @BooleanField({ description: `Whether users need a second factor.${INHERIT}`, nullable: true })
  requireMfa?: boolean | null;

  @TextListField({
    description: `Second factors that may be used.${INHERIT}`,
    maxItems: 4,
    minItems: 1,
    item: { maxLength: 16 },
    choices: MFA_METHODS,
    nullable: true,
  })
  mfaMethods?: MfaMethod[] | null;

  @IntegerField({
    description: `Seconds without use after which a session ends.${INHERIT}`,
    min: 60,
    max: 2_592_000,
    nullable: true,
    example: 86_400,
  })
  sessionTimeout?: number | null;

  @IntegerField({
    description: `Seconds after which a session ends whatever the activity.${INHERIT}`,
    min: 300,
    max: MAX_SESSION_LIFETIME_SECONDS,
    nullable: true,
    example: 2_592_000,
  })
  sessionLifetime?: number | null;

  @ObjectField(() => PasswordPolicyRequest, {
    description: `Rules for passwords, merged field by field.${INHERIT}`,
    nullable: true,
  })
  passwordPolicy?: PasswordPolicyRequest | null;

  @TextListField({
    description: `E-mail domains that users may have; empty: any.${INHERIT}`,
    maxItems: 100,
    item: {
      maxLength: 253,
      pattern: /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/,
      patternMessage: 'must be lower-case domain names such as example.com.',
    },
    nullable: true,
    example: ['example.com'],
  })
  allowedDomains?: string[] | null;

  @TextField({
    description: `The role of new members, by id or name.${INHERIT}`,
    maxLength: 100,
    nullable: true,
    example: 'role_member',
  })
  defaultRole?: string | null;

  @IntegerField({
    description: `Longest time in seconds that a new API key is valid; 0: no limit.${INHERIT}`,
    min: 0,
    max: 315_360_000,
    nullable: true,
    example: 7_776_000,
  })
  maxApiKeyLifetime?: number | null;

  @BooleanField({
    description: `Whether flagged API keys are disabled.${INHERIT}`,
    nullable: true,
  })
  disableFlaggedApiKeys?: boolean | null;

  @BooleanField({
    description: `Whether flagged webhooks are disabled.${INHERIT}`,
    nullable: true,
  })
  disableFlaggedWebhooks?: boolean | null;

  @TextListField({
    description: `Addresses and networks (CIDR) from which signed-in users manage the organization; empty: from everywhere. API keys have networks of their own.${INHERIT}`,
    maxItems: 50,
    item: { maxLength: 64 },
    nullable: true,
    example: ['203.0.113.0/24'],
  })
  allowedNetworks?: string[] | null;

  @LocaleField({
    description: `Language of mails and sign-in pages for users without a \`locale\`, as a BCP 47 language tag.${INHERIT}`,
    nullable: true,
    example: 'de',
  })
  defaultLocale?: string | null;
}

export const LOCKED_SETTINGS_FIELD = {
  description: 'Settings that organizations below may not override.',
  maxItems: SETTING_FIELDS.length,
  item: { maxLength: 32 },
  choices: SETTING_FIELDS,
} as const;

export type LockedSettings = SettingField[];

export class PasswordPolicyResponse {
  @ApiProperty({ type: 'integer', example: 15 }) minLength!: number;
  @ApiProperty({ example: false }) requireUppercase!: boolean;
  @ApiProperty({ example: false }) requireNumbers!: boolean;
  @ApiProperty({ example: false }) requireSymbols!: boolean;
  @ApiProperty({ type: 'integer', example: 0 }) preventReuse!: number;
}

/** Settings in force. */
export class SettingsResponse {
  @ApiProperty({ example: false }) allowPublicSignup!: boolean;
  @ApiProperty({ example: false }) requireMfa!: boolean;
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...MFA_METHODS] }, example: ['totp', 'passkey'] })
  mfaMethods!: MfaMethod[];
  @ApiProperty({ type: 'integer', description: 'Seconds.', example: 86_400 }) sessionTimeout!: number;
  @ApiProperty({ type: 'integer', description: 'Seconds.', example: 2_592_000 }) sessionLifetime!: number;
  @ApiProperty({ type: PasswordPolicyResponse }) passwordPolicy!: PasswordPolicyResponse;
  @ApiProperty({ type: [String], example: [] }) allowedDomains!: string[];
  @ApiProperty({ example: 'role_member' }) defaultRole!: string;
  @ApiProperty({ type: 'integer', description: 'Seconds; 0: no limit.', example: 0 }) maxApiKeyLifetime!: number;
  @ApiProperty({ example: false }) disableFlaggedApiKeys!: boolean;
  @ApiProperty({ example: false }) disableFlaggedWebhooks!: boolean;
  @ApiProperty({ type: [String], example: [] }) allowedNetworks!: string[];
  @ApiProperty({ description: 'BCP 47 language tag.', example: 'en' }) defaultLocale!: string;
}
