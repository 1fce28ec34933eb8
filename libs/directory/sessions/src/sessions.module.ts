import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OneTimeToken } from './one-time-token.entity.js';
import { OneTimeTokenRepository } from './one-time-token.repository.js';
import { OneTimeTokenService } from './one-time-token.service.js';
import { PendingVerifications } from './pending-verifications.js';
import { Session } from './session.entity.js';
import { SessionEndHandlers } from './session-end-handlers.js';
import { SessionQuery } from './session.query.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';
import { TokenHash } from './token-hash.entity.js';
import { TokenHashQuery } from './token-hash.query.js';
import { TokenHashRepository } from './token-hash.repository.js';
import { SessionPersonalDataQuery } from './session-personal-data.query.js';

/** Sessions and one-time tokens. Sign-in itself is in `libs/identity/sign-in`. */
@Module({
  imports: [TypeOrmModule.forFeature([OneTimeToken, Session, TokenHash])],
  providers: [
    SessionPersonalDataQuery,
    OneTimeTokenRepository,
    OneTimeTokenService,
    PendingVerifications,
    SessionEndHandlers,
    SessionQuery,
    SessionRepository,
    SessionService,
    TokenHashQuery,
    TokenHashRepository,
  ],
  exports: [OneTimeTokenService, PendingVerifications, SessionEndHandlers, SessionService, TokenHashQuery],
})
export class SessionsModule {}
