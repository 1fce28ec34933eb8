import { Injectable } from '@nestjs/common';

/** The time of day, injected so that tests can move it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
