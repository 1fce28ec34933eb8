import { ChoiceField } from '#platform/http';
import { Allow } from 'class-validator';

export const REPORT_FORMATS = ['ndjson', 'csv'] as const;

export class AccessReportQueryParameters {
  @ChoiceField({
    description: 'File format: one JSON object per line (`ndjson`), or `csv`.',
    choices: [...REPORT_FORMATS],
    default: 'ndjson',
  })
  format?: (typeof REPORT_FORMATS)[number];

  /** Documented and checked by the decorator `@AsOf()`. */
  @Allow()
  asOf?: unknown;
}
