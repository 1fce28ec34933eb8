import { Global, Module } from '@nestjs/common';
import { PrivilegesService } from './privileges.service.js';
import { UserGrants } from './user-grants.js';

/** Who can change the power of whom. Global, because every library with accounts, roles or policies asks. */
@Global()
@Module({
  providers: [PrivilegesService, UserGrants],
  exports: [PrivilegesService, UserGrants],
})
export class PrivilegesModule {}
