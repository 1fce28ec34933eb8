import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { MEDIA_TYPES } from '#platform/http';
import { PersonalDataExportResponse } from '#platform/personal-data';

/** Documents the JSON of the export of a user. */
export const ApiUserData = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(PersonalDataExportResponse),
    ApiResponse({
      status: 200,
      description: 'A JSON file with all sections.',
      content: { [MEDIA_TYPES.json]: { schema: { $ref: getSchemaPath(PersonalDataExportResponse) } } },
    }),
  );

export const CONTENTS =
  'The export contains the profile, memberships, roles, linked identities, sessions, emailed links, MFA factors, passkeys, failed sign-ins, messages, API keys, webhooks, break-glass requests, and the events of the event log within its retention. It contains no passwords, hashes, tokens, seeds and keys. ';
