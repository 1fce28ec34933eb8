import { Module } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { NetworkPolicy } from './network-policy.js';

/** Provides the policy for connections to destinations that tenants chose. */
@Module({
  providers: [
    {
      provide: NetworkPolicy,
      inject: [AppConfig],
      useFactory: (config: AppConfig) => new NetworkPolicy(config.webhookAllowedNetworks),
    },
  ],
  exports: [NetworkPolicy],
})
export class OutboundModule {}
