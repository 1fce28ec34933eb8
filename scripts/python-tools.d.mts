/** Returns the folder with the programs of the Python environment that `packages/python/requirements.txt` describes. */
export function pythonTools(): Promise<string>;
