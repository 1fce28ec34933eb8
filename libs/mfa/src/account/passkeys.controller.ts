import { Body, Controller, Delete, HttpCode, Param, Patch } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ownUserOf, type RequestContext, ResourceNotFound } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, OpensSession, OwnAccount, Post, SkipIdempotency } from '#http';
import { FactorRemoval } from '../factors/factor-removal.service.js';
import { PasskeyEnrolment } from '../passkeys/passkey-enrolment.service.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { Reauthentication } from '../reauthentication/reauthentication.service.js';
import { ADDED, NEEDS_PASSWORD, NOT_ALLOWED, NOTHING_TO_CONFIRM, TOO_MANY_HASHES, TOO_MANY_PASSWORDS } from './answers.js';
import { ConfirmedRequest, ReauthenticatedRequest, RegisterPasskeyRequest, RenamePasskeyRequest } from './mfa.requests.js';
import { AddedFactorResponse, AddedPasskeyResponse, PasskeyCreationResponse, PasskeyResponse } from './mfa.responses.js';

const PASSKEY = { name: 'id', description: 'The passkey.', example: 'pky_01kf2b8v3cf5h9r4n0j7d2q6xw' } as const;
const UNKNOWN = 'You have no such passkey.';

/** The signed-in user's passkeys. */
@ApiTags('Account')
@Controller('v1/auth/mfa/passkeys')
export class PasskeysController {
  constructor(
    private readonly enrolment: PasskeyEnrolment,
    private readonly removal: FactorRemoval,
    private readonly reauthentication: Reauthentication,
    private readonly passkeys: PasskeyRepository,
  ) {}

  @Post('options')
  @HttpCode(200)
  @OwnAccount({ whileEnrolling: true })
  @SkipIdempotency('Each challenge is answered once.')
  @ApiOperation({
    operationId: 'beginPasskey',
    summary: 'Begin to add a passkey',
    description:
      'Gives what `navigator.credentials.create()` needs. The answer is taken once, within five minutes, in this session.',
  })
  @ApiData(PasskeyCreationResponse)
  @ApiProblems({ 403: NEEDS_PASSWORD, 422: NOT_ALLOWED, 429: TOO_MANY_PASSWORDS, 503: TOO_MANY_HASHES })
  async begin(@Ctx() ctx: RequestContext, @Body() body: ReauthenticatedRequest): Promise<DataAnswer<PasskeyCreationResponse>> {
    return { data: { publicKey: await this.enrolment.begin(ctx, body.currentPassword) } };
  }

  @Post()
  @OpensSession()
  @OwnAccount({ whileEnrolling: true })
  @SkipIdempotency('Recovery codes are shown once.')
  @ApiOperation({ operationId: 'registerPasskey', summary: 'Add a passkey', description: ADDED })
  @ApiData(AddedPasskeyResponse, { status: 201, description: 'The passkey was added.' })
  @ApiProblems({
    409: `${NOTHING_TO_CONFIRM} Or the passkey is registered already.`,
    422: 'The answer of the browser is not right.',
    503: TOO_MANY_HASHES,
  })
  async register(@Ctx() ctx: RequestContext, @Body() body: RegisterPasskeyRequest): Promise<DataAnswer<AddedPasskeyResponse>> {
    const { passkey, ...added } = await this.enrolment.finish(ctx, body.credential, body.name ?? 'Passkey');
    return { data: { ...AddedFactorResponse.from('passkey', added), passkey: PasskeyResponse.from(passkey) } };
  }

  @Patch(':id')
  @OwnAccount()
  @ApiOperation({ operationId: 'renamePasskey', summary: 'Rename a passkey' })
  @ApiParam(PASSKEY)
  @ApiData(PasskeyResponse)
  @ApiProblems({ 404: UNKNOWN })
  async rename(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: RenamePasskeyRequest,
  ): Promise<DataAnswer<PasskeyResponse>> {
    const renamed = await this.passkeys.rename(ctx, ownUserOf(ctx), id, body.name);
    if (!renamed) throw new ResourceNotFound('passkey', id);
    return { data: PasskeyResponse.from(renamed) };
  }

  @Delete(':id')
  @HttpCode(204)
  @OwnAccount()
  @ApiOperation({
    operationId: 'removePasskey',
    summary: 'Remove a passkey',
    description: 'Your other sessions end, and you are told by mail. With the last factor the recovery codes go.',
  })
  @ApiParam(PASSKEY)
  @ApiNoContentResponse({ description: 'The passkey was removed.' })
  @ApiProblems({
    403: NEEDS_PASSWORD,
    404: UNKNOWN,
    409: 'Your organization requires a second factor and this is the last one, or only restricted ones would be left.',
    429: TOO_MANY_PASSWORDS,
    503: TOO_MANY_HASHES,
  })
  async remove(@Ctx() ctx: RequestContext, @Param('id') id: string, @Body() body: ConfirmedRequest): Promise<void> {
    await this.reauthentication.demand(ctx, body.currentPassword);
    await this.removal.removeOwn(ctx, { method: 'passkey', passkeyId: id });
  }
}
