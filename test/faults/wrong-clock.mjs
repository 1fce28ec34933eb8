/** Loaded before the service (`node --import`): shifts its clock by `CLOCK_OFFSET_MS`, but not the monotonic clock. */
const RightDate = Date;
const offsetMs = Number(process.env.CLOCK_OFFSET_MS);

globalThis.Date = class Date extends RightDate {
  constructor(...parts) {
    if (parts.length > 0) super(...parts);
    else super(RightDate.now() + offsetMs);
  }

  static now() {
    return RightDate.now() + offsetMs;
  }
};
