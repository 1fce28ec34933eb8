import type { OpenAPIObject } from '@nestjs/swagger';
import { reference, SSF_SCHEMAS, STREAM_ID } from './ssf-schemas.js';

type Part = Record<string, unknown>;

/** The section of the endpoints of the Shared Signals Framework, whose bodies the framework prescribes. */
export const SSF_TAG = 'Shared signals endpoints';

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
  Object.assign(components!.schemas!, SSF_SCHEMAS);
}
