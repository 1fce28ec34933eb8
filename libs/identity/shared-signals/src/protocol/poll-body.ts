import type { PollInput, SetError } from '../streams/poll.service.js';
import {
  membersOf,
  optionalBoolean,
  optionalCount,
  optionalObject,
  optionalText,
  optionalTexts,
  reject,
  requiredText,
} from './request-body.js';

const ACKNOWLEDGED_MAX = 1_000;
const ID_MAX_LENGTH = 100;
const ERROR_MAX_LENGTH = 100;
const DESCRIPTION_MAX_LENGTH = 1_000;

/** Reads a poll (RFC 8936, section 2.2). A poll without a body asks for all events. @throws InvalidRequest (400) */
export function readPoll(body: unknown): PollInput {
  const members = membersOf(body ?? {});
  const setErrs = Object.entries(optionalObject(members, 'setErrs') ?? {});
  if (setErrs.length > ACKNOWLEDGED_MAX) reject('setErrs', 'too_many', `must have at most ${ACKNOWLEDGED_MAX} members.`);
  return {
    maxEvents: optionalCount(members, 'maxEvents'),
    returnImmediately: optionalBoolean(members, 'returnImmediately') ?? false,
    ack: optionalTexts(members, 'ack', ACKNOWLEDGED_MAX, ID_MAX_LENGTH) ?? [],
    setErrs: new Map(setErrs.map(([jti, error]) => [jti, readError(error)])),
  };
}

function readError(error: unknown): SetError {
  const members = membersOf(error);
  return {
    err: requiredText(members, 'err', ERROR_MAX_LENGTH, 'setErrs/err'),
    description: optionalText(members, 'description', DESCRIPTION_MAX_LENGTH, 'setErrs/description') ?? '',
  };
}
