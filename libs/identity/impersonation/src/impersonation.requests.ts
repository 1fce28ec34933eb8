import { ChoiceField, ExactTextField, IntegerField, PageQuery, TextField } from '#platform/http';
import { IMPERSONATION_STATUSES, type ImpersonationStatus } from './impersonation.entity.js';

export class RequestImpersonationRequest {
  @TextField({
    description:
      'Why you need to sign in as the user, for example the number of the ticket. The user receives this text by email.',
    required: true,
    maxLength: 500,
    multiline: true,
    example: 'Ticket 4711: the invoice page is empty',
  })
  reason!: string;

  @IntegerField({
    description: "Duration of the session in seconds, starting with the sign-in. At most 1 hour. It can't be extended.",
    required: true,
    min: 60,
    max: 3_600,
    example: 1_800,
  })
  durationSeconds!: number;
}

export class ListImpersonationsQuery extends PageQuery {
  @ChoiceField({
    description: 'Only impersonations with this status.',
    choices: IMPERSONATION_STATUSES,
    example: 'active',
  })
  status?: ImpersonationStatus;

  @ExactTextField({
    description: 'Only impersonations of the user with this id.',
    maxLength: 64,
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  userId?: string;
}
