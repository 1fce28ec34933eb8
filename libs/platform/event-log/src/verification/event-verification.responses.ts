import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { INVALID_REASONS, type InvalidEvent } from './chain-check.js';
import type { Link, Verification } from './event-verification.js';

const ANCHORS_SHOWN = 100;

const HASH_EXAMPLE = '9f2c0a4be1d8c37a5f6e9d01b2c4a3f8e7d6c5b4a39281706f5e4d3c2b1a0918';
const hash = { description: 'Hash in hexadecimal.', type: 'string', example: HASH_EXAMPLE } as const;

const position = { description: 'Position in the event log.', type: 'integer', example: 4711 } as const;

export class ChainLinkResponse {
  @ApiProperty(position) position!: number;
  @ApiProperty(hash) hash!: string;
}

/** The first event that was changed, removed or inserted. */
export class InvalidEventResponse {
  @ApiProperty(position) position!: number;

  @ApiProperty({
    description:
      'Id of the invalid event. Null if the event is missing. Also null if the event is not in the organization in the path or one of its descendants.',
    type: 'string',
    nullable: true,
    example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht',
  })
  eventId!: string | null;

  @ApiProperty({
    description:
      '`missing`: no event has this position. `unexpected`: there is an event at a position that should have no event. `content_changed`: the payload of the event was changed. `link_broken`: the hash of the event, or data of the event outside the payload, was changed.',
    enum: INVALID_REASONS,
    example: 'content_changed',
  })
  reason!: string;
}

export class EventAnchorResponse {
  @ApiProperty({ description: 'Position of the first removed event.', type: 'integer', example: 1 }) fromPosition!: number;
  @ApiProperty({ ...position, description: 'Position of the last removed event.' }) toPosition!: number;
  @ApiProperty({ ...hash, description: 'Hash of the last removed event, in hexadecimal.' }) hash!: string;
  @ApiProperty({
    description: 'Time at which the events were removed.',
    format: 'date-time',
    example: '2026-04-20T03:00:00.000Z',
  })
  droppedAt!: string;
}

const nullable = (type: new () => object) => ({ oneOf: [{ $ref: getSchemaPath(type) }, { type: 'null' }] }) as object;

const link = nullable(ChainLinkResponse);

@ApiExtraModels(ChainLinkResponse, InvalidEventResponse)
export class VerificationResponse {
  @ApiProperty({ description: 'Whether the verified part of the log is intact.', example: true }) valid!: boolean;
  @ApiProperty({ description: 'Number of verified events.', type: 'integer', example: 4711 }) checked!: number;
  @ApiProperty({ ...link, description: 'First event that was verified as valid. Null if no event was verified as valid.' })
  from!: ChainLinkResponse | null;
  @ApiProperty({ ...link, description: 'Last event that was verified as valid. Null if no event was verified as valid.' })
  to!: ChainLinkResponse | null;
  @ApiProperty(nullable(InvalidEventResponse)) firstInvalid!: InvalidEventResponse | null;
  @ApiProperty({
    description: 'Number of verified events from which personal data was removed (`redactedAt`).',
    type: 'integer',
    example: 3,
  })
  redacted!: number;
  @ApiProperty({
    description: 'Number of events that are not part of the chain yet, because an earlier release of the service wrote them.',
    type: 'integer',
    example: 0,
  })
  unchained!: number;
  @ApiProperty({
    description: `Ranges of events that were removed after their retention period. If there are more than ${ANCHORS_SHOWN} ranges, only the latest ${ANCHORS_SHOWN} are listed. The oldest range is first.`,
    type: [EventAnchorResponse],
  })
  anchors!: EventAnchorResponse[];
  @ApiProperty({
    ...link,
    description:
      'Last link of the hash chain. Null if there are no events. Store this link outside of the service. A later verification up to this position must return the same hash in `to`.',
  })
  head!: ChainLinkResponse | null;

  /** `isReachable` returns whether the caller may see the ID of an event. */
  static from(
    verification: Verification,
    isReachable: (event: NonNullable<InvalidEvent['event']>) => boolean,
  ): VerificationResponse {
    const { firstInvalid, checked, redacted, unchained, from, to, anchors, head } = verification;
    return {
      valid: firstInvalid === undefined,
      checked,
      from: linkResponse(from),
      to: linkResponse(to),
      firstInvalid: firstInvalid
        ? {
            position: Number(firstInvalid.position),
            eventId: firstInvalid.event && isReachable(firstInvalid.event) ? firstInvalid.event.id : null,
            reason: firstInvalid.reason,
          }
        : null,
      redacted,
      unchained: Number(unchained),
      anchors: anchors.slice(-ANCHORS_SHOWN).map(({ fromPosition, toPosition, chainHash, droppedAt }) => ({
        fromPosition: Number(fromPosition),
        toPosition: Number(toPosition),
        hash: chainHash.toString('hex'),
        droppedAt: droppedAt.toISOString(),
      })),
      head: head.hash && { position: Number(head.position), hash: head.hash.toString('hex') },
    };
  }
}

const linkResponse = (chainLink: Link | undefined): ChainLinkResponse | null =>
  chainLink ? { position: Number(chainLink.position), hash: chainLink.hash.toString('hex') } : null;
