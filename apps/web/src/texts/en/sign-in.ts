const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** "42 seconds", "3 minutes". */
const duration = (seconds: number): string =>
  seconds < 90 ? plural(seconds, 'second', 'seconds') : plural(Math.ceil(seconds / 60), 'minute', 'minutes');

export const signIn = {
  email: 'E-mail address',
  password: 'Password',
  signInTo: (organization: string) => `Sign in to ${organization}`,
  backToSignIn: 'Back to sign-in',
  goToSignIn: 'Go to sign-in',
  continue: 'Continue',
  or: 'or',

  organizationStep: {
    title: 'Sign in',
    description: 'Which organization do you want to sign in to?',
    label: 'Organization',
    hint: 'Its short name, as in links and invitations, such as “acme”.',
    unknown: 'There is no organization of this name. Check the spelling, or ask whoever invited you.',
    other: 'Use another organization',
  },

  credentials: {
    submit: 'Sign in',
    show: 'Show the password',
    hide: 'Hide the password',
    forgot: 'Forgot your password?',
    noAccount: 'No account yet?',
    signUp: 'Sign up',
    withPasskey: 'Sign in with a passkey',
    withProvider: (name: string) => `Continue with ${name}`,
    emailMissing: 'Enter your e-mail address.',
    passwordMissing: 'Enter your password.',
  },

  secondFactor: {
    title: 'Confirm that it is you',
    description: 'Your account asks for one more proof.',
    code: 'Code',
    codeMissing: 'Enter the code.',
    recoveryCode: 'Recovery code',
    verify: 'Confirm',
    send: 'Send the code',
    sendAgain: 'Send another code',
    sendAgainIn: (seconds: number) => `Send another code in ${seconds} s`,
    sentTo: (destination: string) => `A code is on its way to ${destination}.`,
    otherWay: 'Or confirm another way',
    endsIn: (time: string) => `Time left: ${time}`,
    startAgain: 'Start again',
    usePasskey: 'Use your passkey',
    advice: {
      totp: 'Open your authenticator app and enter the 6 digits that it shows for this account.',
      email: 'We send 6 digits to the e-mail address of your account.',
      sms: 'We send 6 digits to the telephone number of your account.',
      passkey: 'Your device asks for its PIN, your finger or your face.',
      recovery_code: 'Enter one of the codes that you wrote down when you set this up. Each works once.',
    },
    methods: {
      totp: 'Authenticator app',
      email: 'Code by e-mail',
      sms: 'Code by SMS',
      passkey: 'Passkey',
      recovery_code: 'Recovery code',
    },
  },

  signUp: {
    title: (organization: string) => `Sign up for ${organization}`,
    firstName: 'First name (optional)',
    lastName: 'Last name (optional)',
    domains: (domains: readonly string[]) => `Open for addresses at ${domains.join(', ')}.`,
    submit: 'Sign up',
    haveAccount: 'You have an account?',
    closedTitle: 'Sign-up is not open here',
    closed: (organization: string) => `Accounts at ${organization} come by invitation. Ask its administrators for one.`,
  },

  forgot: {
    title: 'Set a new password',
    description: 'Enter the address of your account. You get a mail with a link that works once, for an hour.',
    submit: 'Send the link',
  },

  mailSent: {
    title: 'Look into your mail',
    signUp: (email: string) => `A mail is on its way to ${email}. Its link makes your account active, within a day.`,
    forgot: (email: string) => `If ${email} belongs to an account here, a mail with a link is on its way to it.`,
    nothing: 'Nothing there after a few minutes? Look among unwanted mail, and check that the address is right.',
    otherAddress: 'Use another address',
  },

  newPassword: {
    label: 'New password',
    again: 'The same password again',
    missing: 'Enter a password.',
    different: 'The two passwords are not the same.',
    show: 'Show the passwords',
    hide: 'Hide the passwords',
    rulesTitle: 'The password needs:',
    met: 'met',
    open: 'not yet met',
    checkedLater: 'checked when you send it',
    rules: {
      length: (count: number) => `At least ${count} characters; a few unrelated words are easy to remember`,
      tooLong: (bytes: number) => `At most ${bytes} bytes`,
      uppercase: 'At least one upper-case letter',
      number: 'At least one digit',
      symbol: 'At least one symbol, such as a dash or a space',
      reuse: (count: number) => `None of your last ${count} passwords`,
      uncommon: 'No common password, and none made of your name or that of the organization',
    },
  },

  links: {
    looking: 'Looking up the link …',
    deadTitle: 'This link does not work',
    noToken: 'The link was not whole. Open it from the mail again, or copy all of it.',
    askAgain: 'Ask for a new link',
    until: (time: string) => `The link that brought you here works once, until ${time}.`,
  },

  invitation: {
    title: (organization: string) => `Join ${organization}`,
    greeting: (name: string) => `Welcome, ${name}. Choose a password, and your account is active.`,
    greetingUnnamed: 'Welcome. Choose a password, and your account is active.',
    submit: 'Set password and join',
    doneTitle: 'Welcome',
    done: (organization: string) => `Your password is set and your account at ${organization} is active. You can sign in now.`,
  },

  reset: {
    title: 'Set a new password',
    description: (organization: string) => `Choose a new password for your account at ${organization}.`,
    submit: 'Set the new password',
    doneTitle: 'Password changed',
    done: (organization: string) =>
      `Your new password for ${organization} is set, and all devices were signed out. You can sign in now.`,
  },

  verify: {
    title: 'Confirm your e-mail address',
    activates: (organization: string) => `Confirm this address to activate your account at ${organization}.`,
    confirms: (organization: string) => `Confirm that this is the address of your account at ${organization}.`,
    changes: (organization: string) =>
      `Confirm that your account at ${organization} is to move to this address. Other devices are signed out.`,
    cancels: (organization: string) =>
      `Somebody asked to move your account at ${organization} to another address. Cancel it if that was not you: the account keeps this address, and everybody is signed out.`,
    cancelTitle: 'Cancel the change of your email address',
    cancelSubmit: 'Cancel the change',
    cancelledTitle: 'Change cancelled',
    cancelled: (email: string) =>
      `Your account keeps ${email}, and all devices are signed out. Now set a new password: choose “Forgot your password?” on the sign-in page.`,
    submit: 'Confirm the address',
    doneTitle: 'Address confirmed',
    done: (email: string, organization: string) => `${email} is confirmed for your account at ${organization}.`,
  },

  problems: {
    wait: (seconds: number) => `Try again in ${duration(seconds)}.`,
    waited: 'You can try again now.',
    heading: 'That did not work',
    tooMany: 'Too many tries',
    unknown: 'Signing in did not work. Try again.',
    expired: 'This sign-in took too long. Sign in again.',
    passkeyAborted: 'No passkey was used. Try again, or sign in another way.',
    passkeyUnsupported: 'This browser can not use passkeys. Use another browser, or sign in another way.',
    setNewPassword: 'A new password set by mail opens the account at once.',
    /** By the code of the API's problem. */
    byCode: {
      invalid_credentials: 'E-mail address and password do not fit together, or this account can not sign in here.',
      organization_suspended: 'This organization is suspended, so nobody can sign in to it. Its administrators know more.',
      organization_pending: 'This organization is not open yet. You can sign in once it was approved.',
      mfa_failed: 'That was not right. Check the code, or confirm another way.',
      mfa_challenge_invalid: 'This took too long, or there were too many wrong codes. Start again.',
      current_password_wrong: 'This password is wrong. Try again.',
      reauthentication_locked: 'There were too many wrong passwords or codes.',
      passkey_refused: 'This passkey does not sign in here. Try again, or sign in another way.',
      sign_up_closed: 'Accounts come by invitation here. Ask the administrators for one.',
      account_not_linked: 'You are known there, but no account here belongs to you. Ask the administrators for an invitation.',
      email_not_confirmed:
        'Confirm your email address first: open the link in the mail that was sent to you, then sign in again.',
      domain_not_allowed: 'Addresses of this domain can not be used here.',
      identity_provider_refused: 'The identity provider did not sign you in. Try again.',
      identity_provider_answer_invalid:
        'The identity provider’s answer could not be verified. Try again; if it fails again, tell the administrators.',
      identity_provider_unavailable: 'The identity provider can not be reached at this moment. Try again later.',
      oidc_state_invalid: 'This sign-in is over: it took longer than ten minutes, or was begun elsewhere. Sign in again.',
      session_over: 'Your session is over. Sign in again.',
    } as Readonly<Record<string, string>>,
  },
};
