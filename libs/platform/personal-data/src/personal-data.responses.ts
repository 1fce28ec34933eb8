import { ApiProperty } from '@nestjs/swagger';

/** The export of a user. `definePersonalData` adds one field for each section. */
export class PersonalDataExportResponse {
  @ApiProperty({ description: 'Time of the export.', format: 'date-time', example: '2026-01-15T10:00:00.000Z' })
  exportedAt!: string;

  @ApiProperty({ description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId!: string;
}
