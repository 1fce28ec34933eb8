import { unicodeDomain } from '#platform/common';

export const MFA_METHODS = ['totp', 'sms', 'email', 'passkey'] as const;
export type MfaMethod = (typeof MFA_METHODS)[number];

/** Who approves that somebody signs in as a user for support. */
export const IMPERSONATION_APPROVALS = ['none', 'second_person', 'user'] as const;
export type ImpersonationApproval = (typeof IMPERSONATION_APPROVALS)[number];
/** Which applications from outside people can use: all, those that an owner approved, or those of owners only. */
export const APPLICATION_APPROVALS = ['anyone', 'approved', 'owners'] as const;
export type ApplicationApproval = (typeof APPLICATION_APPROVALS)[number];

export interface PasswordPolicy {
  minLength: number;
  requireUppercase: boolean;
  requireNumbers: boolean;
  requireSymbols: boolean;
  /** Number of previous passwords that can't be used again. */
  preventReuse: number;
}

/** The effective settings of an organization. */
export interface OrganizationSettings {
  allowPublicSignup: boolean;
  requireMfa: boolean;
  mfaMethods: MfaMethod[];
  /** Whether the users that the organization manages can sign in only with an identity provider. */
  ssoRequired: boolean;
  /** Seconds without activity after which a session ends. */
  sessionTimeout: number;
  /** Seconds after which a session ends regardless of activity. */
  sessionLifetime: number;
  passwordPolicy: PasswordPolicy;
  /** Email domains that users can have. Empty: all domains. */
  allowedDomains: string[];
  defaultRole: string;
  /** Maximum lifetime of an API key in seconds. 0: no limit. */
  maxApiKeyLifetime: number;
  /** Whether flagged API keys are disabled. */
  disableFlaggedApiKeys: boolean;
  /** Whether flagged webhooks are disabled. */
  disableFlaggedWebhooks: boolean;
  /** Networks (CIDR) from which users can manage the organization. Empty: all networks. */
  allowedNetworks: string[];
  impersonationApproval: ImpersonationApproval;
  /** Language of emails and sign-in pages for users without a locale, as a BCP 47 tag. */
  defaultLocale: string;
  /** Who decides which applications people can use that neither the organization nor an ancestor created. */
  applicationApproval: ApplicationApproval;
  /** Domains whose addresses can be the `client_id` of applications (Client ID Metadata Documents). Empty: none. */
  clientIdMetadataDomains: string[];
  /** Whether people can use applications that registered themselves (RFC 7591). */
  dynamicClientRegistration: boolean;
}

export type SettingField = keyof OrganizationSettings;
export type SettingsOverrides = Partial<Omit<OrganizationSettings, 'passwordPolicy'>> & {
  passwordPolicy?: Partial<PasswordPolicy>;
};
/** A change of settings. `null` removes an override. */
export type SettingsPatch = { [F in keyof Omit<OrganizationSettings, 'passwordPolicy'>]?: OrganizationSettings[F] | null } & {
  passwordPolicy?: { [F in keyof PasswordPolicy]?: PasswordPolicy[F] | null } | null;
};

export const SETTING_FIELDS: readonly SettingField[] = [
  'allowPublicSignup',
  'requireMfa',
  'mfaMethods',
  'ssoRequired',
  'sessionTimeout',
  'sessionLifetime',
  'passwordPolicy',
  'allowedDomains',
  'defaultRole',
  'maxApiKeyLifetime',
  'disableFlaggedApiKeys',
  'disableFlaggedWebhooks',
  'allowedNetworks',
  'impersonationApproval',
  'defaultLocale',
  'applicationApproval',
  'clientIdMetadataDomains',
  'dynamicClientRegistration',
];

/** 30 days (NIST SP 800-63B-4, 2.1.3). */
export const MAX_SESSION_LIFETIME_SECONDS = 2_592_000;

const MIN_LENGTH_WITHOUT_MFA = 15;
/** MFA permits a shorter password (NIST SP 800-63B-4). */
const MIN_LENGTH_WITH_MFA = 8;

/** The settings that one organization of a chain sets and locks. */
export interface SettingsLayer {
  readonly id: string;
  readonly name: string;
  readonly overrides: SettingsOverrides;
  readonly locked: readonly SettingField[];
}

/** The source of a value: the default of the service, or an organization of the chain. */
export type SettingSource = 'default' | { id: string; name: string };

export interface ResolvedSettings {
  readonly values: OrganizationSettings;
  /** The source of each value, by field. Fields of the password policy are named `passwordPolicy.minLength` and so on. */
  readonly sources: Readonly<Record<string, SettingSource>>;
  /** The topmost ancestor that locks the setting, by field. Settings that are not locked are absent. */
  readonly lockedBy: Readonly<Partial<Record<SettingField, { id: string; name: string }>>>;
}

/**
 * Returns the effective settings of the last organization of a chain, root first. Overrides replace the defaults and the settings of
 * ancestors. Overrides of a locked field are ignored. Fields of the password policy are merged, and lists are replaced.
 */
export function resolveSettings(chain: readonly SettingsLayer[]): ResolvedSettings {
  const values: Record<string, unknown> = {};
  const policy: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  const lockedBy: Partial<Record<SettingField, { id: string; name: string }>> = {};
  const last = chain.at(-1);
  for (const layer of chain) {
    const { id, name, overrides, locked } = layer;
    for (const field of SETTING_FIELDS) {
      const override = overrides[field];
      if (override === undefined || lockedBy[field]) continue;
      if (field !== 'passwordPolicy') {
        values[field] = override;
        sources[field] = { id, name };
        continue;
      }
      for (const [part, value] of Object.entries(override)) {
        policy[part] = value;
        sources[`passwordPolicy.${part}`] = { id, name };
      }
    }
    if (layer === last) break;
    for (const field of locked) lockedBy[field] ??= { id, name };
  }
  return { values: withDefaults(values, policy), sources: withDefaultSources(sources), lockedBy };
}

function withDefaults(values: Partial<OrganizationSettings>, policy: Partial<PasswordPolicy>): OrganizationSettings {
  const requireMfa = values.requireMfa ?? false;
  return {
    allowPublicSignup: values.allowPublicSignup ?? false,
    requireMfa,
    mfaMethods: values.mfaMethods ?? ['totp', 'passkey'],
    ssoRequired: values.ssoRequired ?? false,
    sessionTimeout: values.sessionTimeout ?? 86_400,
    sessionLifetime: values.sessionLifetime ?? MAX_SESSION_LIFETIME_SECONDS,
    passwordPolicy: {
      minLength: policy.minLength ?? (requireMfa ? MIN_LENGTH_WITH_MFA : MIN_LENGTH_WITHOUT_MFA),
      requireUppercase: policy.requireUppercase ?? false,
      requireNumbers: policy.requireNumbers ?? false,
      requireSymbols: policy.requireSymbols ?? false,
      preventReuse: policy.preventReuse ?? 0,
    },
    allowedDomains: (values.allowedDomains ?? []).map(unicodeDomain),
    defaultRole: values.defaultRole ?? 'role_member',
    maxApiKeyLifetime: values.maxApiKeyLifetime ?? 0,
    disableFlaggedApiKeys: values.disableFlaggedApiKeys ?? false,
    disableFlaggedWebhooks: values.disableFlaggedWebhooks ?? false,
    allowedNetworks: values.allowedNetworks ?? [],
    impersonationApproval: values.impersonationApproval ?? 'none',
    defaultLocale: values.defaultLocale ?? 'en',
    applicationApproval: values.applicationApproval ?? 'anyone',
    clientIdMetadataDomains: values.clientIdMetadataDomains ?? [],
    dynamicClientRegistration: values.dynamicClientRegistration ?? false,
  };
}

export const POLICY_FIELDS: readonly (keyof PasswordPolicy)[] = [
  'minLength',
  'requireUppercase',
  'requireNumbers',
  'requireSymbols',
  'preventReuse',
];

function withDefaultSources(sources: Record<string, SettingSource>): Record<string, SettingSource> {
  const paths = SETTING_FIELDS.flatMap((field) =>
    field === 'passwordPolicy' ? POLICY_FIELDS.map((part) => `passwordPolicy.${part}`) : [field],
  );
  return Object.fromEntries(paths.map((path) => [path, sources[path] ?? 'default']));
}

/** Returns the overrides after a patch. `null` removes an override. Fields of the password policy are merged. */
export function patchOverrides(current: SettingsOverrides, patch: SettingsPatch): SettingsOverrides {
  const next: Record<string, unknown> = { ...current };
  for (const field of SETTING_FIELDS) {
    const value = patch[field];
    if (value === undefined) continue;
    if (value === null) delete next[field];
    else if (field === 'passwordPolicy') patchPolicy(next, value as NonNullable<SettingsPatch['passwordPolicy']>);
    else next[field] = value;
  }
  return next;
}

function patchPolicy(next: Record<string, unknown>, patch: NonNullable<SettingsPatch['passwordPolicy']>): void {
  const policy: Record<string, unknown> = { ...(next.passwordPolicy as object | undefined) };
  for (const part of POLICY_FIELDS) {
    if (patch[part] === undefined) continue;
    if (patch[part] === null) delete policy[part];
    else policy[part] = patch[part];
  }
  if (Object.keys(policy).length === 0) delete next.passwordPolicy;
  else next.passwordPolicy = policy;
}
