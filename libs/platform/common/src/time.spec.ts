import { describe, expect, it } from '@jest/globals';
import { parseTime } from './time.js';

describe('parseTime', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.1Z', '2026-01-31T12:00:00.100Z'],
    ['2026-01-31T12:00:00.123999999+05:30', '2026-01-31T06:30:00.123Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2028-02-29T00:00:00-00:00', '2028-02-29T00:00:00.000Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z'],
  ])('reads %s', (text, time) => {
    expect(parseTime(text)?.toISOString()).toBe(time);
  });

  it.each([
    ['no day of the month', '2027-02-31T00:00:00Z'],
    ['no leap year', '2027-02-29T00:00:00Z'],
    ['no leap year (century)', '2100-02-29T00:00:00Z'],
    ['day 0', '2027-01-00T00:00:00Z'],
    ['month 0', '2027-00-01T00:00:00Z'],
    ['month 13', '2027-13-01T00:00:00Z'],
    ['hour 24', '2027-01-01T24:00:00Z'],
    ['minute 60', '2027-01-01T00:60:00Z'],
    ['second 60', '2016-12-31T23:59:60Z'],
    ['offset of 24 hours', '2027-01-01T00:00:00+24:00'],
    ['offset of 60 minutes', '2027-01-01T00:00:00+00:60'],
    ['no offset', '2027-01-01T00:00:00'],
    ['no seconds', '2027-01-01T00:00Z'],
    ['no time', '2027-01-01'],
    ['no colon in the offset', '2027-01-01T00:00:00+0100'],
    ['a space', '2027-01-01 00:00:00Z'],
    ['a line feed', '2027-01-01T00:00:00Z\n'],
    ['no digits after the point', '2027-01-01T00:00:00.Z'],
    ['other digits', '２027-01-01T00:00:00Z'],
    ['year 0', '0000-01-01T00:00:00Z'],
    ['year 0 in UTC', '0001-01-01T00:00:00+00:01'],
    ['year 10000 in UTC', '9999-12-31T23:59:59-00:01'],
    ['a signed year', '+012027-01-01T00:00:00Z'],
    ['no text', ''],
  ])('rejects a time with %s', (_, text) => {
    expect(parseTime(text)).toBeUndefined();
  });
});
