/** The database can't be distributed. The message is for the operator. */
export class DistributionError extends Error {}
