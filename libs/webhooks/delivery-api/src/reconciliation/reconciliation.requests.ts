import { ExactTextField, IntegerQuery, MomentField } from '#platform/http';
import type { ReconciliationRequest } from './reconciliation.service.js';

const TIME_EXAMPLE = '2026-01-15T00:00:00.000Z';

/** The range of the events of a reconciliation, and the page of undelivered events. */
export class ReconciliationQuery {
  @MomentField({
    description: 'Start of the range, compared with the `timestamp` of events. Default: as far back as deliveries are kept.',
    example: TIME_EXAMPLE,
  })
  since?: Date;

  @MomentField({ description: 'End of the range, exclusive. Default: now.', example: '2026-01-16T00:00:00.000Z' })
  until?: Date;

  @IntegerQuery({ description: 'Maximum number of undelivered events in the response.', min: 1, max: 100, default: 20 })
  limit?: number;

  @ExactTextField({ description: 'The `eventId` of the last undelivered event in the previous response.', maxLength: 64 })
  after?: string;

  static request({ since, until, limit, after }: ReconciliationQuery): ReconciliationRequest {
    return {
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      limit: limit ?? 20,
      ...(after === undefined ? {} : { after }),
    };
  }
}
