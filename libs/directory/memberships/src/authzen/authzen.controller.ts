import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { Ctx, Post, Requires, SkipIdempotency } from '#platform/http';
import { DecisionResponse, DecisionsResponse, EvaluationRequest, EvaluationsRequest } from './authzen.requests.js';
import { AuthzenService } from './authzen.service.js';

const READ_ONLY = 'It changes nothing.';

@ApiTags('Roles')
@Controller('access/v1')
@Requires('roles:read', { organization: 'none' })
export class AuthzenController {
  constructor(private readonly authzen: AuthzenService) {}

  @Post('evaluation')
  @HttpCode(200)
  @SkipIdempotency(READ_ONLY)
  @ApiOperation({
    operationId: 'evaluateAccess',
    summary: 'Evaluate access (AuthZEN)',
    description:
      'Returns whether a user has a permission in an organization, in the format of the Authorization API 1.0 of OpenID AuthZEN: `subject` is a user, `action` a permission and `resource` an organization. The rules are those of `checkPermission`. Organizations to which the caller has no access with `roles:read` are answered as if they did not exist.',
  })
  @ApiOkResponse({ description: 'The decision.', type: DecisionResponse })
  async evaluate(@Ctx() ctx: RequestContext, @Body() body: EvaluationRequest): Promise<DecisionResponse> {
    const [decision] = await this.authzen.evaluate(ctx, [body]);
    return decision!;
  }

  @Post('evaluations')
  @HttpCode(200)
  @SkipIdempotency(READ_ONLY)
  @ApiOperation({
    operationId: 'evaluateAccesses',
    summary: 'Evaluate access in a batch (AuthZEN)',
    description:
      'Makes up to 100 evaluations as `evaluateAccess`. `subject`, `action` and `resource` of the request are the defaults of the evaluations. An evaluation that cannot be made has the decision false and `error` in its `context`.',
  })
  @ApiOkResponse({ description: 'The decisions.', type: DecisionsResponse })
  async evaluateAll(@Ctx() ctx: RequestContext, @Body() body: EvaluationsRequest): Promise<DecisionsResponse> {
    if (body.evaluations && body.evaluations.length > 0) return { evaluations: await this.authzen.evaluateAll(ctx, body) };
    const [decision] = await this.authzen.evaluate(ctx, [body]);
    return decision!;
  }
}
