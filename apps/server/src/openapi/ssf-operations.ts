import type { OpenAPIObject } from '@nestjs/swagger';

type Part = Record<string, unknown>;

/** The section of the endpoints of the Shared Signals Framework, whose bodies the framework prescribes. */
export const SSF_TAG = 'Shared signals endpoints';

const BASE_URL = 'https://id.example.com';
const STREAM_ID = 'ssf_01kf2bav4hf7r8v2m5n9q1c3ek';
const SESSION_REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
const JWT = 'eyJhbGciOiJSUzI1NiIsInR5cCI6InNlY2V2ZW50K2p3dCJ9.eyJpc3MiOiIifQ.sig';

const reference = (name: string): Part => ({ $ref: `#/components/schemas/${name}` });
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

const SCHEMAS: Readonly<Record<string, Part>> = {
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

const json = (description: string, schema: string): Part => ({
  description,
  content: { 'application/json': { schema: reference(schema) } },
});
const bodyOf = (schema: string, required = true): Part => ({
  required,
  content: { 'application/json': { schema: reference(schema) } },
});
const problem = (description: string): Part => ({
  description,
  content: { 'application/problem+json': { schema: reference('ProblemResponse') } },
});

/** Any type: generators can't express that a response is an object or a list. */
const CONFIGURATIONS = {
  description: 'The `SharedSignalsStream`, or without `stream_id` a list.',
  content: { 'application/json': { schema: { description: 'One `SharedSignalsStream` or a list.', example: [] } } },
};

const INVALID = problem('The request is not valid, or changes what the service sets (`validation_failed`).');
const UNKNOWN = problem('The receiver has no such stream (`ssf_stream_not_found`).');
const ERRORS = {
  401: problem('The access token or API key is missing or invalid (`unauthenticated`).'),
  403: problem('The caller lacks the scope or permission, or is neither a machine client nor an API key (`forbidden`).'),
  429: problem('Too many requests (`rate_limited`).'),
  500: problem('The service failed (`internal_error`).'),
  503: problem('The service is overloaded (`unavailable`).'),
};

const streamParameter = (required: boolean): Part => ({
  name: 'stream_id',
  in: 'query',
  required,
  description: 'Id of the stream.',
  schema: { type: 'string', example: STREAM_ID },
});

function operation(operationId: string, summary: string, description: string, rest: Part & { responses: Part }): Part {
  const responses = { ...ERRORS, ...rest.responses };
  return {
    operationId,
    summary,
    description,
    tags: [SSF_TAG],
    security: [{ oauthAccessToken: [] }, { apiKey: [] }],
    ...rest,
    responses,
  };
}

const READ = 'Needs the scope `ssf.read` or `ssf.manage`, or the permission `ssf_streams:read`.';
const WRITE = 'Needs the scope `ssf.manage` or the permission `ssf_streams:write`.';

const change = (operationId: string, summary: string, description: string): Part =>
  operation(operationId, summary, `${description} ${WRITE} Publishes \`ssf_stream.updated\`.`, {
    requestBody: bodyOf('SharedSignalsChangeRequest'),
    responses: { 200: json('The changed configuration.', 'SharedSignalsStream'), 400: INVALID, 404: UNKNOWN },
  });

const subjectOperation = (operationId: string, summary: string, description: string, success: Part): Part =>
  operation(operationId, summary, `${description} Subjects that belong to no user have no effect. ${WRITE}`, {
    requestBody: bodyOf('SharedSignalsSubjectRequest'),
    responses: { ...success, 400: INVALID, 404: UNKNOWN },
  });

const PATHS: Readonly<Record<string, Part>> = {
  '/.well-known/ssf-configuration': {
    get: {
      operationId: 'getSsfConfiguration',
      summary: 'Get the configuration of the transmitter',
      description: 'Returns the endpoints of this service for receivers (OpenID Shared Signals Framework 1.0).',
      tags: [SSF_TAG],
      security: [],
      responses: {
        200: json('The configuration.', 'SharedSignalsMetadata'),
        429: ERRORS[429],
        500: ERRORS[500],
        503: ERRORS[503],
      },
    },
  },
  '/ssf/streams': {
    get: operation(
      'readSsfStreams',
      'Read configurations of streams',
      `Returns the stream, or without \`stream_id\` all streams of the receiver. ${READ}`,
      {
        parameters: [streamParameter(false)],
        responses: { 200: CONFIGURATIONS, 404: UNKNOWN },
      },
    ),
    post: operation(
      'createSsfStream',
      'Create a stream',
      `Each OAuth client can have one stream, and the API keys of an organization one together. ${WRITE} Publishes \`ssf_stream.created\`.`,
      {
        requestBody: bodyOf('SharedSignalsCreateRequest', false),
        responses: {
          201: json('The configuration.', 'SharedSignalsStream'),
          400: INVALID,
          409: problem('The receiver has a stream already (`ssf_stream_exists`).'),
        },
      },
    ),
    patch: change('changeSsfStream', 'Change a stream', 'Changes the members that the request contains.'),
    put: change('replaceSsfStream', 'Replace a stream', 'Members that the request does not contain get their defaults.'),
    delete: operation('removeSsfStream', 'Delete a stream', `${WRITE} Publishes \`ssf_stream.deleted\`.`, {
      parameters: [streamParameter(true)],
      responses: { 204: { description: 'The stream was deleted.' }, 400: INVALID, 404: UNKNOWN },
    }),
  },
  '/ssf/streams/{id}/poll': {
    post: operation(
      'pollSsfStream',
      'Poll events',
      `Acknowledges events and returns the next ones, oldest first (RFC 8936). Events are returned again until they are acknowledged. ${WRITE}`,
      {
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'Id of the stream.',
            schema: { type: 'string', example: STREAM_ID },
          },
        ],
        requestBody: bodyOf('SharedSignalsPollRequest', false),
        responses: { 200: json('The events.', 'SharedSignalsPollResponse'), 400: INVALID, 404: UNKNOWN },
      },
    ),
  },
  '/ssf/status': {
    get: operation('readSsfStatus', 'Read the status of a stream', READ, {
      parameters: [streamParameter(true)],
      responses: { 200: json('The status.', 'SharedSignalsStatus'), 400: INVALID, 404: UNKNOWN },
    }),
    post: operation(
      'changeSsfStatus',
      'Change the status of a stream',
      `A paused stream holds its events, a disabled stream contains none. ${WRITE} Publishes \`ssf_stream.updated\`.`,
      {
        requestBody: bodyOf('SharedSignalsStatus'),
        responses: { 200: json('The status.', 'SharedSignalsStatus'), 400: INVALID, 404: UNKNOWN },
      },
    ),
  },
  '/ssf/subjects/add': {
    post: subjectOperation('addSsfSubject', 'Add a user to a stream', 'The stream contains events of a removed user again.', {
      200: { description: 'The stream contains events of the user.' },
    }),
  },
  '/ssf/subjects/remove': {
    post: subjectOperation(
      'removeSsfSubject',
      'Remove a user from a stream',
      'The stream contains no events of the user any more.',
      {
        204: { description: 'The stream contains no events of the user.' },
      },
    ),
  },
  '/ssf/verification': {
    post: operation(
      'verifySsfStream',
      'Request a verification',
      `The stream contains the event \`verification\` with the \`state\`, usually within a second. ${WRITE} Publishes \`ssf_stream.verification_requested\`.`,
      {
        requestBody: bodyOf('SharedSignalsVerificationRequest'),
        responses: {
          204: { description: 'The event was requested.' },
          400: problem('The request is not valid, or the stream is disabled (`validation_failed`).'),
          404: UNKNOWN,
          429: problem(
            'The stream was verified less than 10 seconds ago (`ssf_verification_too_often`), or too many requests (`rate_limited`).',
          ),
        },
      },
    ),
  },
};

/** Adds the endpoints of the Shared Signals Framework, which are no operations of the API: their bodies have other names and forms. */
export function addSsfOperations({ paths, components }: OpenAPIObject): void {
  Object.assign(paths, structuredClone(PATHS));
  Object.assign(components!.schemas!, SCHEMAS);
}
