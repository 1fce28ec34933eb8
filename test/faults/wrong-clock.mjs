/** Shifts the clock of the service by `CLOCK_OFFSET_MS`, but not the monotonic clock. Loaded with `node --import`. */
const RealDate = Date;
const offsetMs = Number(process.env.CLOCK_OFFSET_MS);

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length > 0) super(...parts);
    else super(RealDate.now() + offsetMs);
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
};
