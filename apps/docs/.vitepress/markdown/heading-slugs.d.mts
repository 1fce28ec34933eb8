export declare function slugOf(heading: string): string;
