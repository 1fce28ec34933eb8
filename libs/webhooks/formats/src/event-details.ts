import { EVENTS, type EventPayload, type EventSubject, subjectOf } from '#platform/events';

type Fields = Readonly<Record<string, unknown>>;
type Text = string | undefined;

/** What happened to the subject of an event. */
export type EventEffect = 'creation' | 'change' | 'deletion' | 'read' | 'other';

/** A user in an event. */
export interface UserInEvent {
  readonly id?: Text;
  readonly email?: Text;
  readonly name?: Text;
}

/** The details of an event that several formats have fields for. */
export interface EventDetails extends EventPayload {
  /** The event as in the format `service`. */
  readonly event: EventPayload;
  readonly fields: Fields;
  readonly subject: EventSubject | null;
  /** The user that the event is about, if it is about a user. */
  readonly user: UserInEvent | undefined;
  readonly effect: EventEffect;
  /** The kind of the subject, such as `api_key`. */
  readonly resource: string;
  /** A sentence for people. */
  readonly summary: string;
  readonly succeeded: boolean;
}

const CHANGES =
  /(?:updated|moved|changed|activated|suspended|verified|verification_failed|flagged|stopped|rolled_back|assigned|added|removed|enabled|disabled|renewed|invited|approved|denied|started|ended)$/;
const EFFECTS: readonly (readonly [RegExp, EventEffect])[] = [
  // A revoked role or membership is a change of the user or group.
  [/^(?:role|group)\..*(?:assigned|revoked)$/, 'change'],
  [/created$/, 'creation'],
  [/(?:deleted|revoked)$/, 'deletion'],
  [/(?:exported|revealed|opened)$/, 'read'],
  [CHANGES, 'change'],
];
const FAILURES = new Set(['user.login_failed', 'domain.verification_failed']);

/** Reads the payload of an event. Values of personal data can be absent or replaced by a redaction. */
export function detailsOf(payload: string): EventDetails {
  const event = JSON.parse(payload) as EventPayload;
  const fields = event.data as object as Fields;
  const subject = subjectOf(fields);
  return {
    ...event,
    event,
    fields,
    subject,
    user: userOf(event.type, fields, subject),
    effect: EFFECTS.find(([pattern]) => pattern.test(event.type))?.[1] ?? 'other',
    resource: resourceOf(event.type),
    summary: summaryOf(event.type),
    succeeded: !FAILURES.has(event.type),
  };
}

/** Returns a text field, or undefined if the value is no text or is empty. */
export function textIn(fields: Fields, name: string): Text {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a field with an object, or an empty object. */
export function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Returns an object without the fields that are undefined or objects without fields. */
export function withoutAbsent(fields: Fields): Fields {
  const present = Object.entries(fields).filter(
    ([, value]) => value !== undefined && !(value?.constructor === Object && Object.keys(value).length === 0),
  );
  return Object.fromEntries(present);
}

function userOf(type: string, fields: Fields, subject: EventSubject | null): UserInEvent | undefined {
  const email = textIn(fields, 'email') ?? textIn(objectIn(fields, 'user'), 'email');
  // A failed sign-in with an unknown email address has no user.
  if (type === 'user.login_failed' && subject === null) return { email };
  const id = subject?.id.startsWith('usr_') ? subject.id : textIn(objectIn(fields, 'signals'), 'userId');
  if (id === undefined) return undefined;
  const names = [textIn(fields, 'firstName'), textIn(fields, 'lastName')].filter((name) => name !== undefined);
  return { id, email, name: textIn(fields, 'displayName') ?? (names.length > 0 ? names.join(' ') : undefined) };
}

/** Returns the kind of resource of an event type: `user` of `user.created`, `api_key` of `security.api_key_created`. */
function resourceOf(type: string): string {
  const [group = '', action = ''] = type.split('.');
  return group === 'security' ? action.slice(0, action.lastIndexOf('_')) : group;
}

/** Returns the first sentence of the description of an event type, or the type if this version does not have it. */
function summaryOf(type: EventPayload['type']): string {
  const description = Object.hasOwn(EVENTS, type) ? EVENTS[type].description : type;
  return /^.*?\.(?= |$)/.exec(description)?.[0] ?? description;
}
