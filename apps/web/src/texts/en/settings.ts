const number = new Intl.NumberFormat('en');
const counted = (count: number, one: string, many: string) => `${number.format(count)} ${count === 1 ? one : many}`;

export const settings = {
  title: 'Settings',
  description:
    'An organization has the settings of the one above it, except those that it overrides. A change shows below at once.',
  tabs: { rules: 'Rules', branding: 'Branding' },
  groups: {
    signIn: { title: 'Who may join', explained: 'How people become users, and what they are from the start.' },
    mfa: { title: 'Second factor', explained: 'What people prove besides their password.' },
    passwords: {
      title: 'Passwords',
      explained: 'Rules for new passwords. Those that stand keep working until they are changed.',
    },
    sessions: { title: 'Sessions', explained: 'How long people stay signed in.' },
    networks: { title: 'Networks', explained: 'From where people manage this organization.' },
    apiKeys: {
      title: 'API keys and webhooks',
      explained: 'How long keys are valid, and what happens to keys and webhooks whose owner loses access.',
    },
  },
  fields: {
    allowPublicSignup: { label: 'Open sign-up', explained: 'Anyone with an allowed address can make an account.' },
    allowedDomains: {
      label: 'Allowed e-mail domains',
      explained: 'Users can only have addresses at these domains. None listed: any. Users who are there already stay.',
    },
    defaultRole: { label: 'Role of new members', explained: 'What somebody may do who joins without a role being chosen.' },
    requireMfa: {
      label: 'Require a second factor',
      explained: 'Whoever has none must add one at the next sign-in, and can do nothing else before.',
    },
    mfaMethods: {
      label: 'Allowed second factors',
      explained: 'Codes by SMS and e-mail are weaker: they can be intercepted. Passkeys can not be phished.',
    },
    'passwordPolicy.minLength': {
      label: 'Least length',
      explained: 'Length protects best. 15 is advised, or 8 where a second factor is required (NIST SP 800-63B).',
    },
    'passwordPolicy.requireUppercase': { label: 'Upper-case letter', explained: 'At least one. Not advised: length helps more.' },
    'passwordPolicy.requireNumbers': { label: 'Digit', explained: 'At least one. Not advised: length helps more.' },
    'passwordPolicy.requireSymbols': { label: 'Symbol', explained: 'At least one. Not advised: length helps more.' },
    'passwordPolicy.preventReuse': {
      label: 'No reuse of old passwords',
      explained: 'How many earlier passwords can not be chosen again; 0 allows all.',
    },
    sessionTimeout: {
      label: 'Session ends when unused for',
      explained: 'Between one minute and 30 days.',
    },
    sessionLifetime: {
      label: 'Session ends at the latest after',
      explained: 'Whatever the activity. Between five minutes and 30 days. A shorter time counts for open sessions, too.',
    },
    maxApiKeyLifetime: {
      label: 'API keys are valid at most',
      explained: 'Counts for new keys. 0: no limit.',
    },
    disableFlaggedApiKeys: {
      label: 'Disable flagged API keys',
      explained: 'A key is flagged while its owner is suspended or deleted, or lacks permissions of the key.',
    },
    disableFlaggedWebhooks: {
      label: 'Disable flagged webhooks',
      explained:
        'A webhook is flagged while its owner is suspended or deleted, or may not read events. Its events are kept, and sent once it is enabled again.',
    },
    allowedNetworks: {
      label: 'Allowed networks',
      explained:
        'Signed-in users manage the organization only from these IP addresses and networks. None listed: from everywhere. API keys have a list of their own.',
    },
  },
  methods: { totp: 'Authenticator app', passkey: 'Passkey', sms: 'SMS code', email: 'E-mail code' },
  units: {
    minutes: 'minutes',
    hours: 'hours',
    days: 'days',
    seconds: 'seconds',
    characters: 'characters',
    passwords: 'passwords',
  },
  unitOf: (label: string) => `${label}: unit`,
  on: 'On',
  off: 'Off',
  anyDomain: 'Any',
  anyNetwork: 'Any',
  noLimit: 'No limit',
  characters: (count: number) => counted(count, 'character', 'characters'),
  passwords: (count: number) => (count === 0 ? 'All may be reused' : `Not the last ${number.format(count)}`),
  origin: {
    own: 'Set here',
    default: 'Default',
    inherited: 'Inherited from',
    changed: 'Not saved yet',
    willInherit: 'Will be inherited again',
  },
  override: 'Change',
  overrideOf: (label: string) => `Change: ${label}`,
  inherit: 'Inherit',
  inheritOf: (label: string) => `Inherit again: ${label}`,
  undo: 'Undo',
  undoOf: (label: string) => `Undo: ${label}`,
  lockedBy: 'Locked by',
  lockedByOperator: 'It can only be changed there.',
  lock: {
    label: (what: string) => `Lock “${what}” for organizations below`,
    lockAll: 'all password rules',
    on: 'Locked for those below',
    off: 'Those below may differ',
  },
  domainsPlaceholder: 'example.com, then Enter',
  networksPlaceholder: '203.0.113.0/24, then Enter',
  readOnly: 'You may look at these settings, but not change them.',
  suspended: 'The organization is not active, so its settings can not be changed now.',
  bar: {
    changes: (count: number) => counted(count, 'change, not saved yet', 'changes, not saved yet'),
    discard: 'Discard',
    preview: 'Preview and save',
  },
  preview: {
    title: 'What this would change',
    organizations: (count: number) => `${counted(count, 'organization', 'organizations')} would change`,
    users: (count: number) => `${counted(count, 'user', 'users')} in them`,
    outOfLine: (count: number) => `${counted(count, 'user', 'users')} out of line`,
    nothing: 'No value changes, here or below.',
    withoutMfa: (count: number) =>
      `${counted(count, 'user has', 'users have')} no second factor, and must add one at the next sign-in`,
    domainNotAllowed: (count: number) =>
      `${counted(count, 'user has', 'users have')} an address at another domain; they stay, but no more of them can come`,
    passwordOlderThanPolicy: (count: number) =>
      `${counted(count, 'password was', 'passwords were')} set under the old rules; the new ones hold from the next change on`,
    locks: (names: string) =>
      `Locked for organizations below from now on: ${names}. What they set themselves is kept, but does not count.`,
    unlocks: (names: string) => `No longer locked: ${names}. What organizations below had set counts again.`,
    value: (label: string, from: string, to: string) => `${label}: ${from} → ${to}`,
    thisOne: 'this organization',
    showAll: (count: number) => `Show all ${number.format(count)} organizations`,
    save: 'Save',
    back: 'Back',
    changedMeanwhile: 'Somebody else changed this organization meanwhile. Go back, reload the page and look again.',
  },
};

export const branding = {
  explained:
    'Mails and the sign-in page of this organization, and of those below without a branding of their own, look like this.',
  primaryColor: 'Main colour',
  primaryColorHelp: 'For buttons. Written as #1f4fd8.',
  logo: 'Logo',
  logoHelp: 'An https address of a PNG, JPEG, GIF or WebP of at most 512 KB. Pages show it by way of this service.',
  favicon: 'Favicon',
  faviconHelp: 'An https address. For programs of yours that ask for it.',
  contrastLow: (ratio: string) =>
    `This colour stands out too little from a white page (${ratio}:1, at least 3:1 is needed): people may not see the button. Choose a darker one.`,
  contrastFine: (ratio: string) => `Readable: the text on the button has a contrast of ${ratio}:1.`,
  invalidColor: 'A colour is written as # and six digits or letters a to f, such as #1f4fd8.',
  preview: 'Preview',
  previewSignIn: 'Sign-in page',
  previewMail: 'Mail',
  logoUnsaved: 'The new logo shows here after saving.',
  logoBroken: 'The logo could not be loaded. Check its address, kind and size.',
  signInTo: (name: string) => `Sign in to ${name}`,
  email: 'E-mail address',
  password: 'Password',
  signIn: 'Sign in',
  mailHeading: (name: string) => `You are invited to join ${name}`,
  mailText: (name: string) => `An account was created for you at ${name}. Set a password to complete your registration.`,
  mailButton: 'Accept the invitation',
  mailFooter: 'If you did not expect this invitation, you can ignore this message.',
};
