import { ChoiceField, MomentField } from '#platform/http';
import { INTERVALS, type StatisticsInterval, type StatisticsRequest } from './webhook-statistics.service.js';

const SINCE_EXAMPLE = '2026-01-15T00:00:00.000Z';
const UNTIL_EXAMPLE = '2026-01-16T00:00:00.000Z';

/** Range and interval of the statistics. */
export class StatisticsQuery {
  @MomentField({
    description:
      'Start of the range, rounded down to a full hour or day (UTC). Default: 24 hours before `until`. With `interval=day`, the default is 30 days before `until`. The range can have at most 744 intervals.',
    example: SINCE_EXAMPLE,
  })
  since?: Date;

  @MomentField({ description: 'End of the range, exclusive. Default: now.', example: UNTIL_EXAMPLE })
  until?: Date;

  @ChoiceField({ description: 'Length of an interval.', choices: INTERVALS, default: 'hour' })
  interval?: StatisticsInterval;

  static request({ since, until, interval }: StatisticsQuery): StatisticsRequest {
    return {
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      interval: interval ?? 'hour',
    };
  }
}
