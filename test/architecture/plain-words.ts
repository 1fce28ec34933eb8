export type Replacement = readonly [pattern: RegExp, instead: string];

/** Words and phrases that texts for people must not contain, with their replacements. `docs/glossary.md` has the terms. */
export const NOT_USED: readonly Replacement[] = [
  [
    /\b(?:those|the ones?|organizations?) (?:directly )?below\b|\bdirectly below\b/i,
    'child organizations, descendant organizations',
  ],
  [/\b(?:those|the ones?) above\b|\borganizations? above\b/i, 'parent organization, ancestor organizations'],
  [/\bleast length\b/i, 'minimum length'],
  [/\bwho(?:m|so)?ever\b/i, 'the noun: the user, the caller'],
  [/\b(?:is|are|was|were|be|been|being) told\b|\btold of\b/i, 'is notified, gets a message'],
  [/\bhand(?:s|ed|ing)? (?:over|on|out)\b/i, 'pass, delegate, release'],
  [/\bgiv(?:es?|en|ing) back\b/i, 'return, release'],
  [/\btak(?:es?|en|ing) along\b/i, 'claim, include'],
  [/\bcom(?:es?|ing) again\b/i, 'retry'],
  [/\bwaiting lines?\b/i, 'queue'],
  [/\bhandfuls?\b/i, 'batch'],
  [/\b(?:nobody|anybody|somebody)[’']s\b/i, 'nonexistent, of another user'],
  [/\bstrangers?\b/i, 'another user, an unknown client'],
  [/\bstronger (?:user|caller|person|role|account)s?\b/i, 'with higher privileges'],
  [/\btakeable\b/i, 'can be taken over'],
  [/\bgifts?\b/i, 'grant'],
  [/\bneighbou?rs?\b/i, 'other lines, other tenants'],
  [/\brooms?\b|\bdoors?\b|\bhouses?\b/i, 'library, public API, service'],
  [/\bpassed over\b/i, 'skipped, ignored'],
  [/\bs(?:end|ent|ends|ending) (?:it |them )?again\b/i, 'resend (one delivery), replay (deliveries of a period)'],
  [/\bfacts\b/i, 'details'],
  [/\be-mails?\b/i, 'email'],
  [/\bby mail\b/i, 'by email'],
  [/\btelephone\b/i, 'phone'],
  [/\bswitch(?:es|ed|ing)? (?:it |them |that )?(?:off|on)\b/i, 'disable, enable'],
  [/\bhands full\b/i, 'overloaded'],
  [/\bcome in yet\b/i, 'has not accepted the invitation yet'],
  [/\bwho may do what\b/i, 'permission check'],
  [/\bsafe repetition\b/i, 'idempotent retry'],
  [/^\W*Gives\b/, 'Returns'],
  [/\bcan not\b/i, "can't, cannot"],
  [/\bwhat stands\b|\bstands? in the way\b/i, 'the current state'],
  [/\bof which\b(?! at)/i, 'a new sentence with the noun'],
  [/\bthose (?:that|which)\b/i, 'the noun'],
  [
    /\b(?:colou?red|colour|behaviour|honour|favour|centre|licence|catalogue|cancelled|authoris|organis|recognis|initialis)/i,
    'American spelling',
  ],
];

/** Exceptions: names of the API and of an applied migration, and a path that is misspelled on purpose. */
export const ALLOWED: readonly RegExp[] = [
  /stronger_factor_needed/,
  /\/v1\/organisations/,
  /^organizations below$|organizationsBelow/,
  /email change cancelled|email_change_cancelled/,
  /^room for claims\d+$/,
];

/** Identifiers that the code must not contain, with their replacements. */
export const NAMES_NOT_USED: readonly Replacement[] = [
  [/^(?:open|next|one)?Handfuls?/i, 'batch'],
  [/^noteMore|^bringMore|^onFewLeft$/, 'backfill, catch up, the condition'],
  [/^turn(?:s|ed)?Away/, 'reject'],
  [/^(?:PLACES|HOME_STANDS|PASSED_OVER|Place|places?For)$/, 'limit, tenant, location'],
  [/^NOBODYS?|^nobodys/, 'NONEXISTENT_…'],
  [/^StrongerUser|^strongerThan/, 'UserWithHigherPrivileges'],
  [/^Own[A-Z]?SignIn$|^OwnSignIn/, 'CurrentUserSignIn'],
  [/^demands?[A-Z]|^demanded/, 'assert…, require…'],
  [/[tT]akeable/, 'canTakeOver'],
  [/^takeTime$/, 'advance, delay'],
  [/^LookAtLinks?|^lookAtLink/, 'LinkPreviewService'],
  [/^moves(?:Email|To)$|^moveEmail$/, 'emailChanges'],
  [/^shownAt$/, 'the name of the time'],
  [/[pP]roven/, 'verified'],
  [/^hold(?:s|ing)?(?!Permission)[A-Z]|^heldUntil$|^held[A-Z]/, 'lock…, lease…'],
  [/^tak(?:es?|en|ing)Along/, 'claim…'],
  [/^giv(?:en|es?|ing)Back|^handBack/, 'release…, return…'],
  [/^giv(?:en|es?)(?!Name)[A-Z]/, 'return…, provide…'],
  [/^(?:say|tell)(?:s|ing)?[A-Z]|^told[A-Z]/, 'publish…, report…, message…'],
  [/^(?:hears?|heard)[A-Z]|^announce[A-Z]/, 'notify…, on…'],
  [/^comes?Again|^tryAgain|^triesAgain/, 'retry…'],
];

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const HASH_COMMENT = /"""[\s\S]*?"""|(?<=^|\s)#.*$/gm;
const TITLE = /\b(?:it|test|describe)(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])(.*?)\1/g;
const IDENTIFIER = /[A-Za-z_$][\w$]*/g;

/** Names of the API and of a migration. These names can't change. */
export const FIXED_NAMES: ReadonlySet<string> = new Set([
  'email_change_cancelled',
  'organizationsBelow',
  'RoomForClaims1790000140000',
]);

/** Returns the comments, docstrings and test titles of a source file with their lines. */
export function textsOfSource(path: string, source: string): [where: string, text: string][] {
  const comments = source.matchAll(path.endsWith('.py') ? HASH_COMMENT : COMMENT);
  const texts = [...comments].flatMap(({ 0: text, index }) => text.split('\n').map((line, offset) => ({ line, offset, index })));
  const titles = [...source.matchAll(TITLE)].map(({ 2: line, index }) => ({ line: line!, offset: 0, index }));
  return [...texts, ...titles].map(({ line, offset, index }) => [`${path}:${lineAt(source, index) + offset}`, line]);
}

/** Returns the identifiers of a source file with the line of their first use. */
export function identifiersOf(path: string, source: string): [where: string, name: string][] {
  const first = new Map<string, number>();
  for (const { 0: name, index } of source.replaceAll(COMMENT, blank).matchAll(IDENTIFIER))
    if (!first.has(name)) first.set(name, index);
  return [...first].map(([name, index]) => [`${path}:${lineAt(source, index)}`, name]);
}

/** Returns the words of an identifier: "passed over" for `passedOver` and `PASSED_OVER`. */
export const phraseOf = (identifier: string): string =>
  identifier
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

const lineAt = (source: string, index: number): number => source.slice(0, index).split('\n').length;
const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');
