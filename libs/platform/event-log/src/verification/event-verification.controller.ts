import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { organizationOf, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, Requires } from '#platform/http';
import { EventVerification } from './event-verification.js';
import { VerifyEventsQuery } from './event-verification.requests.js';
import { VerificationResponse } from './event-verification.responses.js';

/** Verifies the event log, for auditors. */
@ApiTags('Events')
@Controller('v1/organizations/:org/events/verify')
export class EventVerificationController {
  constructor(private readonly verification: EventVerification) {}

  @Get()
  @Requires('events:read')
  @ApiOperation({
    operationId: 'verifyEvents',
    summary: 'Verify the event log',
    description:
      'Verifies the hash chain of the event log of the whole tenant. The verification detects events that were changed, removed or inserted directly in the database. Two kinds of changes by the service are not reported as invalid: the removal of the personal data of permanently deleted users from events, and the removal of events after their retention period. Without parameters, the whole event log is verified. The verification takes about one second per 10,000 events. Each process of the service can run only one verification per tenant at a time.',
  })
  @ApiData(VerificationResponse, { description: 'The result of the verification.' })
  @ApiProblems({
    400: 'A position or time is invalid.',
    404: 'The organization was not found.',
    429: 'Another verification of the event log of this tenant is in progress (`verification_under_way`), or the caller sent too many requests (`rate_limited`).',
  })
  async verify(@Ctx() ctx: RequestContext, @Query() query: VerifyEventsQuery): Promise<DataResponse<VerificationResponse>> {
    const organization = organizationOf(ctx);
    const verification = await this.verification.verify(ctx, organization, VerifyEventsQuery.read(query));
    const isReachable = (event: { organization_id: string; ancestor_ids: readonly string[] }) =>
      organization.ancestorIds.length === 0 ||
      event.organization_id === organization.id ||
      event.ancestor_ids.includes(organization.id);
    return { data: VerificationResponse.from(verification, isReachable) };
  }
}
