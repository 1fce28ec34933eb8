import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '#platform/common';
import { AppConfig } from '#platform/config';
import { SigningKeysService } from '#identity/session-access';
import { METHOD_URNS } from './stream-configuration.js';

/** The metadata of the transmitter (OpenID Shared Signals Framework 1.0, section 7). */
@ApiExcludeController()
@Controller('.well-known/ssf-configuration')
export class SsfConfigurationController {
  constructor(
    private readonly signingKeys: SigningKeysService,
    private readonly config: AppConfig,
  ) {}

  @Get()
  @Public('Addresses of public endpoints, which receivers read before they have a token.')
  @Header('Cache-Control', 'public, max-age=600')
  async get(): Promise<object> {
    // The first call creates the key that signs events, so that receivers find it at `jwks_uri` before the first event.
    await this.signingKeys.listPairs();
    const { baseUrl } = this.config;
    return {
      spec_version: '1_0',
      issuer: baseUrl,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      delivery_methods_supported: Object.values(METHOD_URNS),
      configuration_endpoint: `${baseUrl}/ssf/streams`,
      status_endpoint: `${baseUrl}/ssf/status`,
      add_subject_endpoint: `${baseUrl}/ssf/subjects/add`,
      remove_subject_endpoint: `${baseUrl}/ssf/subjects/remove`,
      verification_endpoint: `${baseUrl}/ssf/verification`,
      critical_subject_members: ['user'],
      authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
      default_subjects: 'ALL',
    };
  }
}
