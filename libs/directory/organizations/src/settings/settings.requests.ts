import {
  BooleanField,
  ChoiceField,
  DomainListField,
  IntegerField,
  LocaleField,
  ObjectField,
  TextField,
  TextListField,
} from '#platform/http';
import {
  IMPERSONATION_APPROVALS,
  type ImpersonationApproval,
  APPLICATION_APPROVALS,
  type ApplicationApproval,
  MAX_SESSION_LIFETIME_SECONDS,
  MFA_METHODS,
  type MfaMethod,
  SETTING_FIELDS,
  type SettingField,
  type SettingsPatch,
} from './settings.js';

const INHERIT = ' `null` restores the inherited value.';

export class PasswordPolicyRequest {
  @IntegerField({
    description: `Minimum length in characters. NIST SP 800-63B recommends at least 15 characters for accounts without MFA.${INHERIT}`,
    min: 8,
    max: 256,
    nullable: true,
    example: 15,
  })
  minLength?: number | null;

  @BooleanField({ description: `Whether a password must contain an uppercase letter.${INHERIT}`, nullable: true })
  requireUppercase?: boolean | null;

  @BooleanField({ description: `Whether a password must contain a digit.${INHERIT}`, nullable: true })
  requireNumbers?: boolean | null;

  @BooleanField({ description: `Whether a password must contain a symbol.${INHERIT}`, nullable: true })
  requireSymbols?: boolean | null;

  @IntegerField({
    description: `Number of previous passwords that users cannot reuse.${INHERIT}`,
    min: 0,
    max: 24,
    nullable: true,
  })
  preventReuse?: number | null;
}

/** The settings to change. `null` removes an override. */
export class SettingsRequest implements SettingsPatch {
  @BooleanField({ description: `Whether anyone can sign up.${INHERIT}`, nullable: true })
  allowPublicSignup?: boolean | null;

  @BooleanField({ description: `Whether users must sign in with MFA.${INHERIT}`, nullable: true })
  requireMfa?: boolean | null;

  @TextListField({
    description: `MFA methods that users can use.${INHERIT}`,
    maxItems: 4,
    minItems: 1,
    item: { maxLength: 16 },
    choices: MFA_METHODS,
    nullable: true,
  })
  mfaMethods?: MfaMethod[] | null;

  @BooleanField({
    description: `Whether the users that the organization manages can sign in only with an identity provider of the organization or an ancestor. Owners can still sign in with a password or a passkey. To change this setting, the caller must have all permissions (\`*\`) in the organization.${INHERIT}`,
    nullable: true,
  })
  ssoRequired?: boolean | null;

  @IntegerField({
    description: `Idle timeout of a session in seconds.${INHERIT}`,
    min: 60,
    max: 2_592_000,
    nullable: true,
    example: 86_400,
  })
  sessionTimeout?: number | null;

  @IntegerField({
    description: `Maximum lifetime of a session in seconds, regardless of activity.${INHERIT}`,
    min: 300,
    max: MAX_SESSION_LIFETIME_SECONDS,
    nullable: true,
    example: 2_592_000,
  })
  sessionLifetime?: number | null;

  @ObjectField(() => PasswordPolicyRequest, {
    description: "Password rules. Fields that you don't send stay unchanged. `null` restores all inherited rules.",
    nullable: true,
  })
  passwordPolicy?: PasswordPolicyRequest | null;

  @DomainListField({
    description: `Email domains that users can have, in Unicode or in ASCII. An empty list allows all domains.${INHERIT}`,
    maxItems: 100,
    nullable: true,
    example: ['example.com'],
  })
  allowedDomains?: string[] | null;

  @TextField({
    description: `Id or name of the role that new members get by default.${INHERIT}`,
    maxLength: 100,
    nullable: true,
    example: 'role_member',
  })
  defaultRole?: string | null;

  @IntegerField({
    description: `Maximum lifetime of a new API key in seconds. 0 means no limit.${INHERIT}`,
    min: 0,
    max: 315_360_000,
    nullable: true,
    example: 7_776_000,
  })
  maxApiKeyLifetime?: number | null;

  @BooleanField({
    description: `Whether API keys are disabled while they are flagged. An API key is flagged while its owner is suspended, is deleted, or lacks a permission of the API key.${INHERIT}`,
    nullable: true,
  })
  disableFlaggedApiKeys?: boolean | null;

  @BooleanField({
    description: `Whether webhooks are disabled while they are flagged. A webhook is flagged while its owner is suspended, is deleted, or lacks the permission \`events:read\`.${INHERIT}`,
    nullable: true,
  })
  disableFlaggedWebhooks?: boolean | null;

  @TextListField({
    description: `IP addresses and networks (CIDR) from which signed-in users can manage the organization. An empty list allows all networks. Does not apply to API keys, which have their own allowed networks.${INHERIT}`,
    maxItems: 50,
    item: { maxLength: 64 },
    nullable: true,
    example: ['203.0.113.0/24'],
  })
  allowedNetworks?: string[] | null;

  @ChoiceField({
    description: `Who must approve before somebody with the permission \`users:impersonate\` signs in as a user whom the organization manages. \`none\`: nobody. \`second_person\`: another user with this permission. \`user\`: the user.${INHERIT}`,
    choices: IMPERSONATION_APPROVALS,
    nullable: true,
    example: 'user',
  })
  impersonationApproval?: ImpersonationApproval | null;

  @LocaleField({
    description: `Language of emails and sign-in pages for users without a \`locale\`, as a BCP 47 tag.${INHERIT}`,
    nullable: true,
    example: 'de',
  })
  defaultLocale?: string | null;

  @ChoiceField({
    description: `Which applications users can use that neither the organization nor an ancestor created, and that users must consent to. \`anyone\`: all. \`approved\`: only applications that an owner of the organization or an ancestor approved; other users can ask for an approval. \`owners\`: only owners can use them. To change this setting, the caller must have all permissions (\`*\`) in the organization.${INHERIT}`,
    choices: APPLICATION_APPROVALS,
    nullable: true,
    example: 'approved',
  })
  applicationApproval?: ApplicationApproval | null;

  @DomainListField({
    description: `Domains whose addresses applications can use as \`client_id\` (Client ID Metadata Documents), compared exactly. An empty list allows none.${INHERIT}`,
    maxItems: 100,
    nullable: true,
    example: ['example.com'],
  })
  clientIdMetadataDomains?: string[] | null;

  @BooleanField({
    description: `Whether users can use applications that registered themselves (RFC 7591).${INHERIT}`,
    nullable: true,
  })
  dynamicClientRegistration?: boolean | null;
}

export const LOCKED_SETTINGS_FIELD = {
  description: 'Settings that descendant organizations cannot override.',
  maxItems: SETTING_FIELDS.length,
  item: { maxLength: 32 },
  choices: SETTING_FIELDS,
} as const;

export type LockedSettings = SettingField[];
