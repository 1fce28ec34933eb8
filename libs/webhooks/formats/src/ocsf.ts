import { type EventDetails, detailsOf, objectIn, textIn, type UserInEvent, withoutAbsent } from './event-details.js';
import type { EventFormat, SendingService } from './format.js';
import { CATEGORIES, type Class, CLASSES, ocsfActivityOf } from './ocsf-classes.js';

const VERSION = '1.5.0';

const SEVERITIES: Readonly<Record<string, number>> = { low: 2, medium: 3, high: 4, critical: 5 };
const INFORMATIONAL = 1;
const FAILURE_SEVERITY = 2;

const ENTITY_TYPES: Readonly<Record<string, number>> = { user: 2, group: 3, organization: 4 };
const OTHER_ENTITY = 99;

/** Events of the Open Cybersecurity Schema Framework: https://schema.ocsf.io/1.5.0 */
export const ocsf = {
  name: 'ocsf',
  contentType: 'application/json',
  description: `an event of the Open Cybersecurity Schema Framework ${VERSION}`,
  schema: {
    type: 'object',
    description: `The attributes of the class ${VERSION} at https://schema.ocsf.io/${VERSION}.`,
    required: [
      'activity_id',
      'activity_name',
      'category_uid',
      'category_name',
      'class_uid',
      'class_name',
      'type_uid',
      'time',
      'severity_id',
      'message',
      'metadata',
      'raw_data',
    ],
    properties: {
      class_uid: { enum: Object.values(CLASSES).map(({ uid }) => uid) },
      class_name: { enum: Object.values(CLASSES).map(({ name }) => name) },
      category_uid: { enum: Object.keys(CATEGORIES).map(Number) },
      category_name: { enum: Object.values(CATEGORIES) },
      activity_id: { type: 'integer' },
      activity_name: { type: 'string' },
      type_uid: { type: 'integer', description: '`class_uid` × 100 + `activity_id`.' },
      time: { type: 'integer', description: 'Time of the event in milliseconds since 1970.' },
      severity_id: { enum: [INFORMATIONAL, ...Object.values(SEVERITIES)] },
      status_id: { enum: [1, 2], description: '1: success, 2: failure.' },
      status: { enum: ['Success', 'Failure', 'New'] },
      status_detail: { type: 'string', description: 'Why a sign-in failed or a session ended.' },
      message: { type: 'string', description: 'A sentence about the event.' },
      metadata: {
        type: 'object',
        required: ['version', 'product', 'uid', 'event_code'],
        properties: {
          version: { const: VERSION },
          product: { type: 'object', required: ['name', 'vendor_name'] },
          uid: { type: 'string', description: 'Id of the event, the same in each attempt.' },
          event_code: { type: 'string', description: 'Event type, such as `user.created`.' },
          tenant_uid: { type: 'string', description: 'Id of the organization.' },
          correlation_uid: { type: 'string', description: 'Id of the request that caused the event.' },
        },
      },
      actor: { type: 'object', description: 'Who caused the event.' },
      user: { type: 'object', description: 'The user that the event is about.' },
      group: { type: 'object' },
      entity: { type: 'object', description: 'The resource that the event is about.' },
      privileges: { type: 'array', items: { type: 'string' }, description: 'Name of the role.' },
      session: { type: 'object' },
      service: { type: 'object', description: 'The application of the sign-in. Otherwise, the service itself.' },
      is_mfa: { type: 'boolean' },
      auth_protocol_id: { const: 99 },
      auth_protocol: { type: 'string', description: 'Method of the sign-in, such as `password`.' },
      src_endpoint: { type: 'object', description: 'IP address of the request that caused the event.' },
      http_request: { type: 'object' },
      finding_info: { type: 'object', description: 'The suspicious activity.' },
      raw_data: { type: 'string', description: 'The event as in the format `service`, as text.' },
    },
    additionalProperties: false,
  },
  documentOf({ payload }, service) {
    const event = detailsOf(payload);
    const { id, type, timestamp, organization, metadata, summary } = event;
    const [className, [activityId, activityName]] = ocsfActivityOf(event);
    const { uid, name } = CLASSES[className];
    const category = Math.floor(uid / 1_000);
    return withoutAbsent({
      activity_id: activityId,
      activity_name: activityName,
      category_uid: category,
      category_name: CATEGORIES[category],
      class_uid: uid,
      class_name: name,
      type_uid: uid * 100 + activityId,
      time: Date.parse(timestamp),
      severity_id: severityOf(event),
      message: summary,
      metadata: withoutAbsent({
        version: VERSION,
        product: { name: service.name, vendor_name: service.name },
        uid: id,
        event_code: type,
        original_time: timestamp,
        tenant_uid: organization.id,
        correlation_uid: metadata?.requestId,
      }),
      ...ATTRIBUTES[className](event, service),
      raw_data: payload,
    });
  },
} as const satisfies EventFormat;

function severityOf({ fields, succeeded }: EventDetails): number {
  return SEVERITIES[textIn(fields, 'riskLevel') ?? ''] ?? (succeeded ? INFORMATIONAL : FAILURE_SEVERITY);
}

const userObject = ({ id, email, name }: UserInEvent = {}): object =>
  withoutAbsent({
    uid: id,
    email_addr: email,
    full_name: name,
    // The schema requires an id or a name.
    name: email ?? (id === undefined ? 'unknown' : undefined),
    type_id: 1,
    type: 'User',
  });

const groupObject = (uid: string | undefined, name: string | undefined): object =>
  withoutAbsent({ uid, name: name ?? (uid === undefined ? 'unknown' : undefined) });

/** The attributes of all classes of Identity & Access Management. */
function activityAttributes({ actor, metadata, succeeded }: EventDetails, { name }: SendingService): object {
  const application =
    actor?.client ?? (actor?.type === 'system' ? { id: undefined, name } : actor?.type === 'user' ? undefined : actor);
  return withoutAbsent({
    status_id: succeeded ? 1 : 2,
    status: succeeded ? 'Success' : 'Failure',
    actor: withoutAbsent({
      user: actor?.type === 'user' ? userObject({ id: actor.id, email: actor.email }) : undefined,
      app_uid: application?.id,
      app_name: application?.name,
    }),
    src_endpoint: withoutAbsent({ ip: metadata?.ipAddress }),
    http_request: withoutAbsent({ user_agent: metadata?.userAgent, uid: metadata?.requestId }),
  });
}

/** Returns the names of the roles that an event is about. */
function privilegesOf({ fields }: EventDetails): string[] {
  const role = textIn(fields, 'role') ?? textIn(objectIn(fields, 'role'), 'name');
  return role === undefined ? [] : [role];
}

const ATTRIBUTES: Readonly<Record<Class, (event: EventDetails, service: SendingService) => object>> = {
  accountChange: (event, service) => ({ ...activityAttributes(event, service), user: userObject(event.user) }),
  authentication: (event, service) => {
    const { fields, user } = event;
    const client = objectIn(fields, 'client');
    const method = textIn(fields, 'method');
    const sessionId = textIn(fields, 'sessionId');
    return withoutAbsent({
      ...activityAttributes(event, service),
      user: userObject(user),
      service: withoutAbsent({
        uid: textIn(client, 'id') ?? textIn(fields, 'clientId'),
        name: textIn(client, 'name') ?? textIn(fields, 'clientName') ?? service.name,
      }),
      session: withoutAbsent({ uid: sessionId }),
      is_mfa: fields['mfaMethod'] === undefined ? undefined : fields['mfaMethod'] !== null,
      auth_protocol_id: method === undefined ? undefined : 99,
      auth_protocol: method,
      status_detail: textIn(fields, 'reason'),
    });
  },
  userAccess: (event, service) => ({
    ...activityAttributes(event, service),
    user: userObject(event.user),
    privileges: privilegesOf(event),
  }),
  groupManagement: (event, service) => {
    const { fields, user } = event;
    const group = fields['group'] === undefined ? fields : objectIn(fields, 'group');
    const privileges = privilegesOf(event);
    return withoutAbsent({
      ...activityAttributes(event, service),
      group: groupObject(textIn(group, 'id'), textIn(group, 'name')),
      user: user && userObject(user),
      privileges: privileges.length === 0 ? undefined : privileges,
    });
  },
  entityManagement: (event, service) => {
    const { organization, resource, subject } = event;
    const { id, name } = subject ?? organization;
    return {
      ...activityAttributes(event, service),
      entity: withoutAbsent({
        uid: id,
        name: name ?? undefined,
        type: resource,
        type_id: ENTITY_TYPES[resource] ?? OTHER_ENTITY,
      }),
    };
  },
  detectionFinding: ({ id, fields, timestamp }) => ({
    status_id: 1,
    status: 'New',
    finding_info: withoutAbsent({
      uid: id,
      title: textIn(fields, 'rule'),
      created_time: Date.parse(timestamp),
    }),
  }),
};
