import { Module } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { NetworkPolicy } from './network-policy.js';

/** Where the service may connect to, when others name the destination. */
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
