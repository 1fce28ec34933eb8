export const webhookSigning = {
  secretTitle: 'Signing secret',
  secretExplained:
    'Every delivery carries a signature that only who knows this secret can make. Your receiver checks it before it believes a word.',
  masked: 'In force',
  reveal: 'Reveal',
  revealTitle: 'The signing secret',
  revealWarning: 'Who has this can send your receiver made-up events. Don’t paste it into chats or tickets.',
  current: 'Signs now',
  next: 'Takes over',
  rotate: 'Rotate …',
  rotateTitle: 'Rotate the secret',
  rotateExplained: 'Do this when someone who knew it left, when it may have leaked, and otherwise once a year.',
  overlap: 'Time for your receivers to change over',
  overlaps: { '0': 'None: the new one signs at once', '3600': '1 hour', '86400': '1 day', '604800': '7 days' },
  own: 'Own new secret (optional)',
  ownHint: 'Empty: a random one is made.',
  steps: 'What receivers must do',
  stepsOverlap: [
    'Rotate. You see the new secret; the old one goes on signing until the time is over.',
    'Give your receiver both secrets: it accepts a delivery when either fits.',
    'After the time is over the new one signs alone. Take the old one out of the receiver.',
  ],
  stepsAtOnce: [
    'Your receiver refuses deliveries from this moment until it has the new secret. They are tried again, so nothing is lost.',
    'Give your receiver the new secret, and check a test.',
  ],
  stepsStandard:
    'With a library of Standard Webhooks nothing breaks in between: “webhook-signature” holds a signature by each secret.',
  rotateGo: 'Rotate now',
  rotated: 'The new secret',
  rotatedAtOnce: 'It signs from now on.',
  rotatedLater: 'Signs from then on:',
  verifyTitle: 'Verify a signature',
  verifyExplained:
    'Your receiver says that a signature is wrong? Paste what it got. All of it is computed in this browser; nothing is sent.',
  verifyInsecure: 'Browsers compute signatures on secure pages (https) only. Open these pages over https.',
  verifyHeaders: 'Headers',
  verifyHeadersHint: 'All of them as they came, or at least the signature.',
  verifyBody: 'Body',
  verifyBodyHint: 'The exact bytes, before any JSON parser touched them.',
  verifySecret: 'Secret',
  verifySecretHint: 'The one that your receiver uses.',
  verifyShowSecret: 'Show what is typed',
  verify: 'Verify',
  prefilled: (attempt: number) => `Filled in from attempt ${attempt} of a delivery. Only the secret is missing.`,
  verdicts: {
    valid: { title: 'Valid', text: 'This secret signed exactly this body.' },
    valid_old: {
      title: 'Valid, but too old',
      text: 'This secret signed exactly this body, but longer ago than 5 minutes. A receiver must refuse that: it could be a recording. To look at an old delivery it is fine.',
    },
    valid_early: {
      title: 'Valid, but from the future',
      text: 'This secret signed exactly this body, but the timestamp lies ahead of this computer’s clock. One of the clocks is wrong.',
    },
    no_signature: {
      title: 'There is no signature in these headers',
      text: 'Paste the header …-signature with “t=…,v1=…”, or webhook-signature with webhook-id and webhook-timestamp. A proxy may have dropped them.',
    },
    unreadable: {
      title: 'The signature can’t be read',
      text: 'It should look like “t=1795271002,v1=” and 64 characters from 0–9 and a–f. It may have been cut off.',
    },
    body_newline: {
      title: 'The body was changed: a line break at its end',
      text: 'Without the line break at the end the signature fits. Something added it, or it came with copying.',
    },
    body_crlf: { title: 'The body was changed: its line breaks', text: 'With other line breaks the signature fits.' },
    body_reformatted: {
      title: 'The body was changed: it was parsed and printed again',
      text: 'As compact JSON the signature fits. Take the raw bytes before a JSON parser; in Express: express.raw().',
    },
    body_changed: {
      title: 'The body was changed',
      text: 'The secret is the right one, so far as can be told, but it did not sign this body. Compare it with what was sent, byte by byte.',
    },
    body_changed_at: { title: 'The body was changed', text: 'It is not what was sent.' },
    secret_space: {
      title: 'The secret has a space or line break too many',
      text: 'Without it the signature fits. Look at how your receiver reads it, from a file or a variable.',
    },
    secret_prefix: {
      title: 'The secret lacks its beginning',
      text: 'With “whsec_” in front the signature fits: the prefix is part of the key.',
    },
    secret_next: {
      title: 'This is the next secret',
      text: 'It signs “webhook-signature” already, but not yet the service’s own header: it takes over when the rotation ends.',
    },
    secret_wrong: { title: 'Wrong secret', text: 'This is not the secret of this webhook.' },
    secret_wrong_sent: {
      title: 'Wrong secret',
      text: 'The body is what was sent, but this secret did not sign it. It may be an older one, or another webhook’s.',
    },
    secret_tail: (tail: string) => `This webhook’s secret ends with “${tail}”.`,
    unclear: { title: 'The signature does not fit', text: 'Another secret signed it, or the body is not what was sent.' },
  },
  firstDifference: (position: number) => `The first difference is at character ${position}.`,
  checks: 'What was looked at',
  checkSignature: 'Signature header',
  checkTimestamp: 'Timestamp',
  checkOwn: (name: string) => `${name} (hex)`,
  checkStandard: 'webhook-signature (Standard Webhooks)',
  checkFits: 'fits',
  checkFitsNot: 'does not fit',
  checkAbsent: 'not there',
  checkIncomplete: 'webhook-id or webhook-timestamp is missing',
  age: (seconds: number) =>
    seconds < 0
      ? `${Math.abs(seconds)} seconds ahead of this computer’s clock`
      : seconds < 300
        ? `${seconds} seconds old: within 5 minutes`
        : `${new Intl.NumberFormat('en').format(Math.round(seconds / 60))} minutes old: more than 5 minutes`,
  samplesTitle: 'In your receiver',
  samplesExplained: 'Take the raw body, refuse what is older than 5 minutes, compare in constant time. No packages needed.',
  samplesLanguage: 'Language',
};
