import type { Schema } from '../../../api/client';

/** A setting that can be overridden and locked. The password policy has a single lock. */
export type SettingField = keyof Schema<'SettingsResponse'>;

/** The path of a single value: a setting, or a part of the password policy. */
export type SettingPath = Exclude<SettingField, 'passwordPolicy'> | `passwordPolicy.${keyof Schema<'PasswordPolicyResponse'>}`;

export type SettingValue = boolean | number | string | readonly string[];

/** The kind of input for a value. */
export type SettingKind =
  | 'switch'
  | 'number'
  | 'duration'
  | 'methods'
  | 'domains'
  | 'networks'
  | 'role'
  | 'language'
  | 'approval'
  | 'applicationApproval';

export interface SettingDefinition {
  readonly path: SettingPath;
  readonly kind: SettingKind;
  readonly min?: number;
  readonly max?: number;
}

export interface SettingGroup {
  readonly name: 'signIn' | 'mfa' | 'passwords' | 'sessions' | 'networks' | 'apiKeys' | 'applications';
  readonly settings: readonly SettingDefinition[];
  /** The setting whose lock applies to the whole group. */
  readonly lock?: SettingField;
}

/** All settings in the order of the page. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    name: 'mfa',
    settings: [
      { path: 'requireMfa', kind: 'switch' },
      { path: 'mfaMethods', kind: 'methods' },
    ],
  },
  {
    name: 'passwords',
    lock: 'passwordPolicy',
    settings: [
      { path: 'passwordPolicy.minLength', kind: 'number', min: 8, max: 256 },
      { path: 'passwordPolicy.preventReuse', kind: 'number', min: 0, max: 24 },
      { path: 'passwordPolicy.requireUppercase', kind: 'switch' },
      { path: 'passwordPolicy.requireNumbers', kind: 'switch' },
      { path: 'passwordPolicy.requireSymbols', kind: 'switch' },
    ],
  },
  {
    name: 'sessions',
    settings: [
      { path: 'sessionTimeout', kind: 'duration', min: 60, max: 2_592_000 },
      { path: 'sessionLifetime', kind: 'duration', min: 300, max: 2_592_000 },
      { path: 'impersonationApproval', kind: 'approval' },
    ],
  },
  { name: 'networks', settings: [{ path: 'allowedNetworks', kind: 'networks' }] },
  {
    name: 'apiKeys',
    settings: [
      { path: 'maxApiKeyLifetime', kind: 'duration', min: 0, max: 315_360_000 },
      { path: 'disableFlaggedApiKeys', kind: 'switch' },
      { path: 'disableFlaggedWebhooks', kind: 'switch' },
    ],
  },
  {
    name: 'applications',
    settings: [
      { path: 'applicationApproval', kind: 'applicationApproval' },
      { path: 'clientIdMetadataDomains', kind: 'domains' },
      { path: 'dynamicClientRegistration', kind: 'switch' },
    ],
  },
  {
    name: 'signIn',
    settings: [
      { path: 'ssoRequired', kind: 'switch' },
      { path: 'allowPublicSignup', kind: 'switch' },
      { path: 'allowedDomains', kind: 'domains' },
      { path: 'defaultRole', kind: 'role' },
      { path: 'defaultLocale', kind: 'language' },
    ],
  },
];

export const fieldOf = (path: SettingPath): SettingField => path.split('.')[0] as SettingField;
