import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IntegerQuery, MomentField } from '#http';
import { INVALID_REASONS, type InvalidEvent } from './chain-check.js';
import type { Link, Verification, VerifiedSpan } from './event-verification.js';

const HASH_EXAMPLE = '9f2c0a4be1d8c37a5f6e9d01b2c4a3f8e7d6c5b4a39281706f5e4d3c2b1a0918';
const ANCHORS_SHOWN = 100;
const MAX_POSITION = 999_999_999_999_999;
const hash = { description: 'In hexadecimal.', type: 'string', example: HASH_EXAMPLE } as const;
const position = { type: 'integer', example: 4711 } as const;

/** Which part of the log to verify; all of it when nothing is given. */
export class VerifyEventsQuery {
  @IntegerQuery({ description: 'From this position on; the link before it is believed.', min: 1, max: MAX_POSITION })
  fromPosition?: number;

  @IntegerQuery({ description: 'Up to this position.', min: 1, max: MAX_POSITION })
  toPosition?: number;

  @MomentField({
    description: 'From the first event that occurred at this moment or after it.',
    example: '2026-01-01T00:00:00.000Z',
  })
  since?: string;

  @MomentField({ description: 'Up to the last event that occurred before this moment.', example: '2026-02-01T00:00:00.000Z' })
  until?: string;

  static read({ fromPosition, toPosition, since, until }: VerifyEventsQuery): VerifiedSpan {
    return {
      fromPosition: fromPosition === undefined ? undefined : BigInt(fromPosition),
      toPosition: toPosition === undefined ? undefined : BigInt(toPosition),
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
    };
  }
}

/** One link of the chain. */
export class ChainLinkResponse {
  @ApiProperty(position) position!: number;
  @ApiProperty(hash) hash!: string;
}

/** The first event that is not as it was written. */
export class InvalidEventResponse {
  @ApiProperty(position) position!: number;

  @ApiProperty({
    description:
      'The id of the row that is wrong; null where one is missing, and where it is not the organization’s own or below it.',
    type: 'string',
    nullable: true,
    example: 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht',
  })
  eventId!: string | null;

  @ApiProperty({
    description:
      '`missing`: no event has this position. `unexpected`: an event stands where none should. `content_changed`: the payload is another ' +
      'than was written. `link_broken`: other columns were changed, or the chain itself.',
    enum: INVALID_REASONS,
    example: 'content_changed',
  })
  reason!: string;
}

/** A run of positions that retention removed. */
export class EventAnchorResponse {
  @ApiProperty({ type: 'integer', example: 1 }) fromPosition!: number;
  @ApiProperty(position) toPosition!: number;
  @ApiProperty({ ...hash, description: 'The link of the last of them, in hexadecimal.' }) hash!: string;
  @ApiProperty({ format: 'date-time', example: '2026-04-20T03:00:00.000Z' }) droppedAt!: string;
}

const nullable = (type: new () => object) => ({ oneOf: [{ $ref: getSchemaPath(type) }, { type: 'null' }] }) as object;
const link = nullable(ChainLinkResponse);

/** What a verification of the log found. */
@ApiExtraModels(ChainLinkResponse, InvalidEventResponse)
export class VerificationResponse {
  @ApiProperty({ description: 'Whether all that was checked is as it was written.', example: true }) valid!: boolean;
  @ApiProperty({ description: 'How many events were checked.', type: 'integer', example: 4711 }) checked!: number;
  @ApiProperty({ ...link, description: 'The first event that was found valid.' }) from!: ChainLinkResponse | null;
  @ApiProperty({ ...link, description: 'The last event that was found valid.' }) to!: ChainLinkResponse | null;
  @ApiProperty(nullable(InvalidEventResponse)) firstInvalid!: InvalidEventResponse | null;
  @ApiProperty({ description: 'How many of the checked events are redacted.', type: 'integer', example: 3 }) redacted!: number;
  @ApiProperty({
    description: 'How many events have no link yet: they were numbered by an earlier release.',
    type: 'integer',
    example: 0,
  })
  unchained!: number;
  @ApiProperty({
    description: `What retention removed: the latest ${ANCHORS_SHOWN} runs, oldest first.`,
    type: [EventAnchorResponse],
  })
  anchors!: EventAnchorResponse[];
  @ApiProperty({
    ...link,
    description:
      'The last link of the chain; null when there is no event. Write it down elsewhere: a later verification up to this position must ' +
      'give the same hash in `to`.',
  })
  head!: ChainLinkResponse | null;

  /** `isReachable` says of which organizations the caller may learn an event's id. */
  static from(
    verification: Verification,
    isReachable: (event: NonNullable<InvalidEvent['event']>) => boolean,
  ): VerificationResponse {
    const { firstInvalid, checked, redacted, unchained, from, to, anchors, head } = verification;
    return {
      valid: firstInvalid === undefined,
      checked,
      from: shownLink(from),
      to: shownLink(to),
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

const shownLink = (of: Link | undefined): ChainLinkResponse | null =>
  of ? { position: Number(of.position), hash: of.hash.toString('hex') } : null;
