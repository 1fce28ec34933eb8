/** Lets the copy of a project use its packages, and installs missing ones in the project. */
export function linkPackages(project: string, copy: string): void;
