import { ChoiceField, IntegerField, PageQuery, TextField } from '#platform/http';
import { BREAK_GLASS_STATUSES, type BreakGlassStatus } from './break-glass-request.entity.js';

const MAX_DURATION_SECONDS = 14_400;

export class RequestBreakGlassRequest {
  @TextField({
    description: 'What happened and what needs to be done. The owners of the organization receive this text by email.',
    required: true,
    maxLength: 500,
    multiline: true,
    example: 'Production is down and no owner can be reached',
  })
  reason!: string;

  @IntegerField({
    description: 'Duration of the access in seconds, starting with the approval. At most 4 hours.',
    required: true,
    min: 60,
    max: MAX_DURATION_SECONDS,
    example: 3_600,
  })
  durationSeconds!: number;
}

export class DenyBreakGlassRequest {
  @TextField({ description: 'Reason for the denial.', maxLength: 500, multiline: true, example: 'The owner is on the way' })
  note?: string;
}

export class ListBreakGlassQuery extends PageQuery {
  @ChoiceField({ description: 'Only requests with this status.', choices: BREAK_GLASS_STATUSES, example: 'pending' })
  status?: BreakGlassStatus;
}
