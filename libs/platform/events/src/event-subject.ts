/** What an event is about. */
export interface EventSubject {
  readonly id: string;
  /** Null if the event does not contain the name, or after a redaction. */
  readonly name: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const textIn = (fields: Fields, ...names: readonly string[]): string | undefined =>
  names.map((name) => fields[name]).find((value): value is string => typeof value === 'string' && value !== '');

/** Returns the user that an event is about; otherwise its group, role or other resource. Returns null if the event names none. */
export function subjectOf(eventData: unknown): EventSubject | null {
  const data = fieldsOf(eventData);
  const [user, group, role] = ['user', 'group', 'role'].map((name) => fieldsOf(data[name])) as [Fields, Fields, Fields];
  const userId = textIn(user, 'id') ?? textIn(data, 'userId', 'requesterId', 'subjectId');
  if (userId !== undefined) return { id: userId, name: textIn(user, 'email') ?? textIn(data, 'email') ?? null };
  const fields = [group, role].find(({ id }) => id !== undefined) ?? data;
  const id = textIn(fields, 'id');
  return id === undefined ? null : { id, name: textIn(fields, 'email', 'name', 'displayName', 'clientName') ?? null };
}
