/** Loaded before the service (`node --import`): its clock is `CLOCK_OFFSET_MS` off, the monotonic one is right. */
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
