type Part = Record<string, unknown>;

const BASE_URL = 'https://id.example.com';
export const STREAM_ID = 'ssf_01kf2bav4hf7r8v2m5n9q1c3ek';
const SESSION_REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
const JWT = 'eyJhbGciOiJSUzI1NiIsInR5cCI6InNlY2V2ZW50K2p3dCJ9.eyJpc3MiOiIifQ.sig';

export const reference = (name: string): Part => ({ $ref: `#/components/schemas/${name}` });
const text = (example: string, description: string): Part => ({ type: 'string', example, description });
const list = (example: readonly string[], description: string): Part => ({
  type: 'array',
  items: { type: 'string' },
  example,
  description,
});
const object = (required: readonly string[], properties: Part): Part => ({
  type: 'object',
  ...(required.length > 0 ? { required } : {}),
  properties,
});

const deliveryOf = (ofResponse: boolean): Part => ({
  ...object(ofResponse ? ['method', 'endpoint_url'] : ['method'], {
    method: {
      ...text(
        'urn:ietf:rfc:8935',
        '`urn:ietf:rfc:8935`: the service sends events (push). `urn:ietf:rfc:8936`: the receiver fetches them (poll).',
      ),
      enum: ['urn:ietf:rfc:8935', 'urn:ietf:rfc:8936'],
    },
    endpoint_url: text(
      'https://receiver.example.com/events',
      'Where events are sent, or, set by the service, where they are fetched.',
    ),
    ...(ofResponse
      ? {}
      : {
          authorization_header: text(
            'Bearer eyJ0b2tlbiI6ImV4YW1wbGUifQ',
            'Value of the header `Authorization` of pushes. Never returned. Kept if it is absent and the address is the same.',
          ),
        }),
  }),
  description: 'How events are delivered. Default: poll.',
});

const RECEIVER_MEMBERS = {
  delivery: deliveryOf(false),
  events_requested: list([SESSION_REVOKED], 'URIs of the events that the receiver wants.'),
  description: text('Sessions of the intranet', 'What the stream is for.'),
};

const streamId = text(STREAM_ID, 'Id of the stream.');
const status = { ...text('paused', 'Whether the stream contains events.'), enum: ['enabled', 'paused', 'disabled'] };
const reason = text('Maintenance of the receiver', 'Why the stream has its status.');
const subject: Part = {
  type: 'object',
  required: ['format'],
  properties: { format: text('email', '`iss_sub`, `email`, or `complex` with a `user`. Other subjects have no effect.') },
  additionalProperties: true,
  example: { format: 'email', email: 'ada@example.com' },
  description: 'The user (RFC 9493).',
};

/** The schemas of the Shared Signals Framework. */
export const SSF_SCHEMAS: Readonly<Record<string, Part>> = {
  SharedSignalsMetadata: object(['spec_version', 'issuer', 'jwks_uri'], {
    spec_version: text('1_0', 'Version of the framework.'),
    issuer: text(BASE_URL, 'The `iss` of events.'),
    jwks_uri: text(`${BASE_URL}/.well-known/jwks.json`, 'The keys that verify events.'),
    delivery_methods_supported: list(['urn:ietf:rfc:8935', 'urn:ietf:rfc:8936'], 'Push and poll.'),
    configuration_endpoint: text(`${BASE_URL}/ssf/streams`, 'Where streams are managed.'),
    status_endpoint: text(`${BASE_URL}/ssf/status`, 'Where the status of a stream is read and set.'),
    add_subject_endpoint: text(`${BASE_URL}/ssf/subjects/add`, 'Where a removed user is added again.'),
    remove_subject_endpoint: text(`${BASE_URL}/ssf/subjects/remove`, 'Where a user is removed.'),
    verification_endpoint: text(`${BASE_URL}/ssf/verification`, 'Where a verification is requested.'),
    critical_subject_members: list(['user'], 'Members of subjects that receivers must understand.'),
    authorization_schemes: {
      type: 'array',
      items: object(['spec_urn'], { spec_urn: text('urn:ietf:rfc:6749', 'OAuth 2.0.') }),
      example: [{ spec_urn: 'urn:ietf:rfc:6749' }],
      description: 'How receivers get access.',
    },
    default_subjects: text('ALL', 'New streams contain events of all users.'),
  }),
  SharedSignalsStream: object(['stream_id', 'iss', 'aud', 'events_delivered', 'delivery'], {
    stream_id: streamId,
    iss: text(BASE_URL, 'The `iss` of the events.'),
    aud: text('app_01kf2bav4hf7r8v2m5n9q1c3ek', 'The `aud` of the events: the OAuth client, or the organization for an API key.'),
    delivery: deliveryOf(true),
    events_supported: list([SESSION_REVOKED], 'URIs of the events of the service.'),
    events_requested: list([SESSION_REVOKED], 'URIs that the receiver requested.'),
    events_delivered: list([SESSION_REVOKED], 'URIs of the events of the stream.'),
    min_verification_interval: { type: 'integer', example: 10, description: 'Seconds between two verifications.' },
    description: text('Sessions of the intranet', 'What the stream is for.'),
  }),
  SharedSignalsCreateRequest: object([], RECEIVER_MEMBERS),
  SharedSignalsChangeRequest: {
    ...object(['stream_id'], { stream_id: streamId, ...RECEIVER_MEMBERS }),
    additionalProperties: true,
  },
  SharedSignalsStatus: object(['stream_id', 'status'], { stream_id: streamId, status, reason }),
  SharedSignalsSubjectRequest: object(['stream_id', 'subject'], { stream_id: streamId, subject }),
  SharedSignalsVerificationRequest: object(['stream_id'], {
    stream_id: streamId,
    state: text('VGhpcyBpcyBhbiBleGFtcGxl', 'Text that the event `verification` contains.'),
  }),
  SharedSignalsPollRequest: object([], {
    maxEvents: {
      type: 'integer',
      minimum: 0,
      example: 10,
      description: 'Maximum number of events, at most 100. 0 only acknowledges.',
    },
    returnImmediately: {
      type: 'boolean',
      default: false,
      description: 'Whether to answer at once, instead of after at most 25 seconds.',
    },
    ack: list(['evt_01kf2bgwd8f5m2q7r4x1v9b3ht'], 'Ids (`jti`) of events that the receiver has accepted.'),
    setErrs: {
      type: 'object',
      additionalProperties: object(['err'], {
        err: text('invalid_request', 'Error code of RFC 8935.'),
        description: text('No such user', 'What is wrong.'),
      }),
      example: {},
      description: 'Events that the receiver rejects, by id.',
    },
  }),
  SharedSignalsPollResponse: object(['sets'], {
    sets: {
      type: 'object',
      additionalProperties: { type: 'string' },
      example: { evt_01kf2bgwd8f5m2q7r4x1v9b3ht: JWT },
      description: 'Security event tokens by id, oldest first.',
    },
    moreAvailable: { type: 'boolean', example: true, description: 'Whether more events wait.' },
  }),
};
