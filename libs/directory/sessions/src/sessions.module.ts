import { Module } from '@nestjs/common';
import { OneTimeTokenRepository } from './one-time-token.repository.js';
import { OneTimeTokens } from './one-time-tokens.js';
import { PendingProofs } from './pending-proofs.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';
import { TokenHashRepository } from './token-hash.repository.js';

/** Sessions and one-time tokens; who signs in, and how, is decided above. */
@Module({
  providers: [SessionService, OneTimeTokens, PendingProofs, SessionRepository, OneTimeTokenRepository, TokenHashRepository],
  exports: [SessionService, OneTimeTokens, PendingProofs],
})
export class SessionsModule {}
