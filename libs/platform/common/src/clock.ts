import { Injectable } from '@nestjs/common';

/** Provides the current time. Tests replace this class. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
