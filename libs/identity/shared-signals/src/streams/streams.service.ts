import { Injectable } from '@nestjs/common';
import { changesBetween, InvalidRequest, newId, organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import { SecretSealer } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import { destinationProblem, NetworkPolicy } from '#platform/outbound';
import {
  assertSupplied,
  configurationOf,
  type RequestedDelivery,
  type StreamConfiguration,
  type StreamInput,
} from '../protocol/stream-configuration.js';
import { authorizationContext } from './authorization-context.js';
import { StreamDeliveriesService } from './stream-deliveries.service.js';
import { isSameDelivery, ssfStreamData } from './ssf-stream-data.js';
import { SsfStream } from './ssf-stream.entity.js';
import { SsfStreamRepository } from './ssf-stream.repository.js';
import type { ReceiverRequest, StreamOwner } from './stream-owners.service.js';

const HIDDEN = '(hidden)';

/** Manages the streams of a receiver. */
@Injectable()
export class StreamsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly streams: SsfStreamRepository,
    private readonly deliveries: StreamDeliveriesService,
    private readonly sealer: SecretSealer,
    private readonly policy: NetworkPolicy,
    private readonly config: AppConfig,
  ) {}

  async list({ ctx, owner }: ReceiverRequest): Promise<StreamConfiguration[]> {
    const streams = await this.streams.listOf(ctx, owner);
    return streams.map((stream) => this.configuration(stream));
  }

  /** @throws ResourceNotFound (404) */
  async get({ ctx, owner }: ReceiverRequest, id: string): Promise<SsfStream> {
    const stream = await this.streams.find(ctx, owner, id);
    if (!stream) throw new ResourceNotFound('ssf_stream', id);
    return stream;
  }

  configuration(stream: SsfStream): StreamConfiguration {
    return configurationOf(stream, this.config.baseUrl);
  }

  /** @throws InvalidRequest (400), StreamExists (409) */
  async create({ ctx, owner }: ReceiverRequest, input: StreamInput): Promise<SsfStream> {
    const { delivery = { method: 'poll' }, eventsRequested = [], description = null } = input;
    await this.assertSendable(delivery);
    const now = this.work.now();
    const stream = Object.assign(new SsfStream(), owner, {
      id: newId('ssfStream'),
      deliveryMethod: 'poll',
      endpointUrl: null,
      authorizationSealed: null,
      eventsRequested: [...eventsRequested],
      description,
      subjectFormat: 'iss_sub',
      status: 'enabled',
      statusReason: null,
      verificationRequestedAt: null,
      createdAt: now,
      updatedAt: now,
    } satisfies Partial<SsfStream>);
    this.setDelivery(stream, delivery);
    return this.work.run(ctx, async (ctx) => {
      await this.streams.insert(ctx, stream);
      await this.work.publish(ctx, 'ssf_stream.created', organizationOf(ctx), ssfStreamData(stream));
      return stream;
    });
  }

  /** Changes members of the configuration. `body` is the request. @throws InvalidRequest (400), ResourceNotFound (404) */
  async update(request: ReceiverRequest, id: string, input: StreamInput, body: unknown): Promise<SsfStream> {
    assertSupplied(body, this.configuration(await this.get(request, id)));
    if (input.delivery) await this.assertSendable(input.delivery);
    const { ctx, owner } = request;
    return this.work.run(ctx, async (ctx) => {
      const stream = await this.lock(ctx, owner, id);
      const before = Object.assign(new SsfStream(), stream);
      if (input.delivery) this.setDelivery(stream, input.delivery);
      if (input.eventsRequested) stream.eventsRequested = [...input.eventsRequested];
      if (input.description !== undefined) stream.description = input.description;
      const changes = changesBetween(ssfStreamData(before), ssfStreamData(stream));
      if (!isSameDelivery(before, stream)) changes['delivery'] = { from: HIDDEN, to: HIDDEN };
      if (Object.keys(changes).length === 0) return stream;
      stream.updatedAt = this.work.now();
      await this.streams.update(ctx, stream);
      if (before.deliveryMethod !== stream.deliveryMethod) await this.deliveries.restart(ctx, stream);
      const data = { ...ssfStreamData(stream), changedBy: 'receiver', changes };
      await this.work.publish(ctx, 'ssf_stream.updated', organizationOf(ctx), data);
      return stream;
    });
  }

  private async lock(ctx: RequestContext, owner: StreamOwner, id: string): Promise<SsfStream> {
    const stream = await this.streams.lock(ctx, owner, id);
    if (!stream) throw new ResourceNotFound('ssf_stream', id);
    return stream;
  }

  /** Never call it in a transaction: it resolves the host of the address. @throws InvalidRequest (400) */
  private async assertSendable(delivery: RequestedDelivery): Promise<void> {
    const problem = delivery.method === 'push' ? await destinationProblem(delivery.endpointUrl, this.policy) : undefined;
    if (!problem) return;
    const { code, message } = problem;
    throw new InvalidRequest([{ pointer: '/delivery/endpoint_url', in: 'body', code, message }]);
  }

  /** Keeps the header only while the address is the same. Otherwise a receiver could have it sent to another address. */
  private setDelivery(stream: SsfStream, delivery: RequestedDelivery): void {
    const isPush = delivery.method === 'push';
    const endpointUrl = isPush ? delivery.endpointUrl : null;
    const isSameAddress = endpointUrl === stream.endpointUrl;
    stream.deliveryMethod = delivery.method;
    stream.endpointUrl = endpointUrl;
    if (isPush && delivery.authorization === undefined && isSameAddress) return;
    const authorization = isPush ? (delivery.authorization ?? null) : null;
    const isKnown = authorization !== null && isSameAddress && this.authorizationOf(stream) === authorization;
    if (isKnown) return;
    stream.authorizationSealed = authorization === null ? null : this.sealer.seal(authorization, authorizationContext(stream.id));
  }

  private authorizationOf({ id, authorizationSealed }: SsfStream): string | null {
    return authorizationSealed === null ? null : this.sealer.open(authorizationSealed, authorizationContext(id));
  }
}
