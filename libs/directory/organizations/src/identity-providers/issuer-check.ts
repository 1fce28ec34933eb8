import { Injectable } from '@nestjs/common';
import { InvalidRequest } from '#platform/common';
import { destinationProblem, type DestinationProblem, NetworkPolicy } from '#platform/outbound';

const MESSAGES: Record<DestinationProblem['code'], string> = {
  url_invalid: 'The issuer is not a valid URL. Use a URL such as https://login.example.com.',
  url_scheme: 'The issuer must be an https URL.',
  url_credentials: 'The issuer must not contain a user name or password.',
  url_port: 'Port 0 is not allowed. Use another port, or none.',
  url_address:
    'The issuer has an address that the service is not allowed to connect to: private, loopback, link-local, reserved or similar. ' +
    'Ask the operator to allow its network in WEBHOOK_ALLOWED_NETWORKS.',
};

/** Checks that the service is allowed to connect to the issuer of an identity provider. */
@Injectable()
export class IssuerCheck {
  constructor(private readonly policy: NetworkPolicy) {}

  /**
   * Asserts that the network policy allows the addresses of the host. Must not run in a transaction, because DNS lookups are slow. Each
   * connection checks the address again.
   * @throws InvalidRequest (400) for the field `issuer`
   */
  async assertReachable(issuer: string): Promise<void> {
    const problem = await destinationProblem(issuer, this.policy);
    if (!problem) return;
    throw new InvalidRequest([{ pointer: '/issuer', in: 'body', code: problem.code, message: MESSAGES[problem.code] }]);
  }
}
