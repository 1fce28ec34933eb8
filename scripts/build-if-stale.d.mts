/** Returns the npm command that installs a workspace and leaves package-lock.json as it is. */
export function installOf(folder: string): string[];
