import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChoiceField, PageQuery, TextField } from '#platform/http';
import { OauthApplicationResponse } from '../interactions/interaction.responses.js';
import { APPROVAL_STATUSES, type ApprovalStatus } from './application-approval.entity.js';
import type { ShownApproval } from './application-approvals.service.js';

const TIME = '2026-01-15T09:00:00.000Z';
const NULL_EXAMPLE = { nullable: true, example: null } as const;

export class ListApplicationApprovalsQuery extends PageQuery {
  @ChoiceField({ description: 'Only approvals with this status.', choices: APPROVAL_STATUSES, example: 'pending' })
  status?: ApprovalStatus;
}

export class CreateApplicationApprovalRequest {
  @TextField({
    description: 'Id of the OAuth client, or the address of its metadata document.',
    required: true,
    maxLength: 2048,
    example: 'app_01kf2bav4hf7r8v2m5n9q1c3ek',
  })
  clientId!: string;
}

export class DecideApplicationApprovalRequest {
  @TextField({
    description: 'Message to the users who asked.',
    maxLength: 500,
    multiline: true,
    example: 'Use the calendar of the organization',
  })
  note?: string;
}

export class ApplicationRequestResponse {
  @ApiProperty({ description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId!: string;
  @ApiProperty({ description: 'Email address of the user at the time of the request.', example: 'ada@example.com' })
  email!: string;
  @ApiProperty({ example: 'To see our invoices in the calendar' }) reason!: string;
  @ApiProperty({ format: 'date-time', example: TIME }) createdAt!: string;
}

/** What the owners of an organization decided about an application. */
export class ApplicationApprovalResponse {
  @ApiProperty({ example: 'aap_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) organizationId!: string;
  @ApiPropertyOptional({ description: 'The application. Absent if it was deleted.', type: OauthApplicationResponse })
  application?: OauthApplicationResponse;
  @ApiProperty({
    description: 'Address of the metadata document of the application. Null for an application without one.',
    type: String,
    ...NULL_EXAMPLE,
  })
  metadataUri!: string | null;
  @ApiProperty({
    description:
      '`pending`: users wait for a decision. `approved`: users of the organization and its descendants can use the application. `denied`: the requests were denied. `revoked`: the application was approved before.',
    enum: APPROVAL_STATUSES,
    example: 'pending',
  })
  status!: ApprovalStatus;
  @ApiProperty({ description: 'Users who asked before the last decision.', type: [ApplicationRequestResponse] })
  requests!: ApplicationRequestResponse[];
  @ApiProperty({ description: 'Time of the last decision.', type: String, format: 'date-time', ...NULL_EXAMPLE })
  decidedAt!: string | null;
  @ApiProperty({ description: 'Id of the user or API key that decided.', type: String, ...NULL_EXAMPLE })
  decidedById!: string | null;
  @ApiProperty({ description: 'Message to the users who asked.', type: String, ...NULL_EXAMPLE }) note!: string | null;
  @ApiProperty({ format: 'date-time', example: TIME }) createdAt!: string;

  static from(this: void, { approval, client, requests }: ShownApproval): ApplicationApprovalResponse {
    const { id, organizationId, status, decidedAt, decidedById, note, createdAt } = approval;
    return {
      id,
      organizationId,
      ...(client ? { application: OauthApplicationResponse.from(client) } : {}),
      metadataUri: client?.metadataUri ?? null,
      status,
      requests: requests.map(({ userId, email, reason, createdAt }) => ({
        userId,
        email,
        reason,
        createdAt: createdAt.toISOString(),
      })),
      decidedAt: decidedAt?.toISOString() ?? null,
      decidedById,
      note,
      createdAt: createdAt.toISOString(),
    };
  }
}
