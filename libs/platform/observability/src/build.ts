/** The version of the program and the commit that it was built from. Injected by class. */
export class Build {
  constructor(
    readonly version: string,
    /** The commit, with `-dirty` if files were changed, or `unknown`. */
    readonly commit: string,
  ) {}

  toString(): string {
    return `identity-service ${this.version} (commit ${this.commit})`;
  }
}
