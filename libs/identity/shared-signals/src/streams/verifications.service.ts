import { Injectable } from '@nestjs/common';
import { InvalidRequest, organizationOf, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { MIN_VERIFICATION_INTERVAL_SECONDS } from '../protocol/stream-configuration.js';
import { VerificationTooOften } from './ssf-stream-errors.js';
import type { SsfStream } from './ssf-stream.entity.js';
import { SsfStreamRepository } from './ssf-stream.repository.js';
import type { ReceiverRequest } from './stream-owners.service.js';

/** Sends verification events when receivers request them. */
@Injectable()
export class VerificationsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly streams: SsfStreamRepository,
  ) {}

  /** @throws ResourceNotFound (404), InvalidRequest (400) for a disabled stream, VerificationTooOften (429) */
  async request({ ctx, owner }: ReceiverRequest, id: string, state: string | null): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const stream = await this.streams.lock(ctx, owner, id);
      if (!stream) throw new ResourceNotFound('ssf_stream', id);
      if (stream.status === 'disabled') {
        const message = 'The stream is disabled, so it contains no events. Enable it first.';
        throw new InvalidRequest([{ pointer: '/stream_id', in: 'body', code: 'invalid_choice', message }]);
      }
      const now = this.work.now();
      assertInterval(stream, now);
      stream.verificationRequestedAt = now;
      await this.streams.update(ctx, stream);
      const { organizationId, clientId } = stream;
      const data = { id, organizationId, ...(clientId === null ? {} : { clientId }), ...(state === null ? {} : { state }) };
      await this.work.publish(ctx, 'ssf_stream.verification_requested', organizationOf(ctx), data);
    });
  }
}

function assertInterval({ verificationRequestedAt: last }: SsfStream, now: Date): void {
  if (!last) return;
  const waitSeconds = MIN_VERIFICATION_INTERVAL_SECONDS - (now.getTime() - last.getTime()) / 1_000;
  if (waitSeconds > 0) throw new VerificationTooOften(Math.ceil(waitSeconds));
}
