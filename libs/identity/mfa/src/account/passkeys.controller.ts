import { Body, Controller, Delete, HttpCode, Param, Patch } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CONFIRMATION, ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiProblems,
  Ctx,
  type DataResponse,
  OpensSession,
  OwnAccount,
  Post,
  SkipIdempotency,
} from '#platform/http';
import { FactorEnrolmentService } from '../enrolment/factor-enrolment.service.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { SSO_REQUIRED } from '#directory/users';
import {
  ADDED,
  FACTOR_NEEDED,
  NOT_ALLOWED,
  PASSWORD_WRONG,
  TOO_MANY_HASHES,
  TOO_MANY_PASSWORDS,
} from './problem-descriptions.js';
import { ConfirmedRequest, ReauthenticatedRequest, RegisterPasskeyRequest, RenamePasskeyRequest } from './mfa.requests.js';
import { AddedFactorResponse, AddedPasskeyResponse, PasskeyCreationResponse, PasskeyResponse } from './mfa.responses.js';
import { OwnMfaService } from './own-mfa.service.js';

const PASSKEY = { name: 'id', description: 'Id of the passkey.', example: 'pky_01kf2b8v3cf5h9r4n0j7d2q6xw' } as const;
const UNKNOWN = "You don't have this passkey.";

@ApiTags('Account')
@Controller('v1/auth/mfa/passkeys')
export class PasskeysController {
  constructor(
    private readonly factorEnrolment: FactorEnrolmentService,
    private readonly ownMfa: OwnMfaService,
    private readonly passkeys: PasskeyRepository,
  ) {}

  @Post('options')
  @HttpCode(200)
  @OwnAccount({ whileEnrolling: true })
  @SkipIdempotency('Each challenge accepts one response.')
  @ApiOperation({
    operationId: 'beginPasskey',
    summary: 'Start adding a passkey',
    description:
      'Returns the options for `navigator.credentials.create()`. To add the passkey that the browser creates, send the passkey to `POST /v1/auth/mfa/passkeys` within 5 minutes, in the same session. The options work only once.',
  })
  @ApiData(PasskeyCreationResponse)
  @ApiProblems({
    403: `${PASSWORD_WRONG} Or: ${SSO_REQUIRED}`,
    422: `${NOT_ALLOWED} Or you already have the maximum number of passkeys (\`passkey_limit\`).`,
    429: TOO_MANY_PASSWORDS,
    503: TOO_MANY_HASHES,
  })
  async start(@Ctx() ctx: RequestContext, @Body() body: ReauthenticatedRequest): Promise<DataResponse<PasskeyCreationResponse>> {
    return { data: { publicKey: await this.factorEnrolment.startPasskey(ctx, body.currentPassword) } };
  }

  @Post()
  @OpensSession()
  @OwnAccount({ whileEnrolling: true })
  @SkipIdempotency('Recovery codes are returned only once.')
  @ApiOperation({
    operationId: 'registerPasskey',
    summary: 'Add a passkey',
    description: `Adds the passkey that the browser created. ${ADDED}`,
  })
  @ApiData(AddedPasskeyResponse, { status: 201, description: 'The passkey was added.' })
  @ApiProblems({
    403: SSO_REQUIRED,
    409: 'There is no new passkey to confirm, or the time limit has passed (`mfa_enrolment_missing`). Or the passkey is already registered (`passkey_registered`).',
    422: 'The response of the browser is invalid (`mfa_not_confirmed`).',
    503: TOO_MANY_HASHES,
  })
  async register(@Ctx() ctx: RequestContext, @Body() body: RegisterPasskeyRequest): Promise<DataResponse<AddedPasskeyResponse>> {
    const { passkey, ...added } = await this.factorEnrolment.confirmPasskey(ctx, body.credential, body.name ?? 'Passkey');
    return { data: { ...AddedFactorResponse.from('passkey', added), passkey: PasskeyResponse.from(passkey) } };
  }

  @Patch(':id')
  @OwnAccount()
  @ApiOperation({
    operationId: 'renamePasskey',
    description: 'Changes the name that distinguishes the passkey from your other passkeys.',
    summary: 'Rename a passkey',
  })
  @ApiIdParam(PASSKEY)
  @ApiData(PasskeyResponse)
  @ApiProblems({ 404: UNKNOWN })
  async rename(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: RenamePasskeyRequest,
  ): Promise<DataResponse<PasskeyResponse>> {
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
    description:
      'Removes a passkey from your account. Ends your other sessions and notifies you by email. If the passkey was your last factor, your recovery codes are removed, too. Publishes `user.mfa_disabled`, even if other factors remain. The field `mfaMethods` of the event lists the remaining factors. ' +
      CONFIRMATION,
  })
  @ApiIdParam(PASSKEY)
  @ApiNoContentResponse({ description: 'The passkey was removed.' })
  @ApiProblems({
    403: PASSWORD_WRONG,
    404: UNKNOWN,
    409: FACTOR_NEEDED,
    429: TOO_MANY_PASSWORDS,
    503: TOO_MANY_HASHES,
  })
  async remove(@Ctx() ctx: RequestContext, @Param('id') id: string, @Body() body: ConfirmedRequest): Promise<void> {
    await this.ownMfa.removeFactor(ctx, { method: 'passkey', passkeyId: id }, body.currentPassword);
  }
}
