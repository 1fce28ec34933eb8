import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { organizationOf, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Requires } from '#http';
import { EventVerification } from './event-verification.js';
import { VerificationResponse, VerifyEventsQuery } from './event-verification.models.js';

/** Lets auditors check the log. */
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
      'Checks the chain of hashes over the events of the whole tree of organizations: whether any was changed, removed or inserted ' +
      'behind the service’s back. Redacted events and those that retention removed are no faults. Reads every event of the stretch, ' +
      'some 10,000 a second; one verification at a time for each tree and process.',
  })
  @ApiData(VerificationResponse, { description: 'What was found.' })
  @ApiProblems({
    400: 'A bad position or moment.',
    404: 'No such organization.',
    429: '`verification_under_way`, `rate_limited`.',
  })
  async verify(@Ctx() ctx: RequestContext, @Query() query: VerifyEventsQuery): Promise<DataAnswer<VerificationResponse>> {
    const place = organizationOf(ctx);
    const verification = await this.verification.verify(ctx, place, VerifyEventsQuery.read(query));
    const isReachable = (event: { organization_id: string; ancestor_ids: readonly string[] }) =>
      place.ancestorIds.length === 0 || event.organization_id === place.id || event.ancestor_ids.includes(place.id);
    return { data: VerificationResponse.from(verification, isReachable) };
  }
}
