import { ChoiceField } from '#platform/http';

export const REPORT_FORMATS = ['ndjson', 'csv'] as const;

export class AccessReportQueryParameters {
  @ChoiceField({
    description: 'File format: one JSON object per line (`ndjson`), or `csv`.',
    choices: [...REPORT_FORMATS],
    default: 'ndjson',
  })
  format?: (typeof REPORT_FORMATS)[number];
}
