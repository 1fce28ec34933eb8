import { ChoiceField, TextField } from '#platform/http';
import { ReceiverReplayRequest } from '#webhooks/delivery-api';
import { STREAM_STATUSES, type StreamStatus, SUBJECT_FORMATS, type SubjectFormat } from '../streams/ssf-stream.entity.js';

/** Body of a request that changes a stream. */
export class UpdateSsfStreamRequest {
  @ChoiceField({
    description:
      '`enabled`: the stream contains events. `paused`: events are held until the stream is enabled. `disabled`: the stream contains no events, and pending ones are skipped. The receiver gets the event `stream-updated`.',
    choices: STREAM_STATUSES,
  })
  status?: StreamStatus;

  @TextField({
    description: 'Why the stream has its status. The receiver can read it. A new status without a reason removes the reason.',
    maxLength: 500,
    multiline: true,
    example: 'Maintenance of the receiver',
  })
  reason?: string;

  @ChoiceField({
    description:
      'How events name users. `iss_sub`: by the issuer and the id, as the `sub` of ID tokens. `email`: by the email address. Applies to events that are sent from now on.',
    choices: SUBJECT_FORMATS,
  })
  subjectFormat?: SubjectFormat;
}

/** Body of a request that replays deliveries of a stream. A class of its own, because its name is the name of the schema in the API. */
export class SsfReplayRequest extends ReceiverReplayRequest {}
