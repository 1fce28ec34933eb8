import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { countLines, type ImportOutcome, type ImportSummary, importUsers } from './import-users';
import { membersKey, usersKey } from './user-queries';

interface Progress {
  readonly state: 'idle' | 'running' | 'done' | 'interrupted' | 'stopped' | 'rejected';
  readonly outcomes: readonly ImportOutcome[];
  /** The estimated number of lines. */
  readonly expected: number;
  /** Whether the results say only what an import would do. */
  readonly isPreview: boolean;
  readonly file?: File;
  readonly summary?: ImportSummary;
  readonly error?: unknown;
}

const IDLE: Progress = { state: 'idle', outcomes: [], expected: 0, isPreview: false };

/** Runs one import or preview at a time with its progress. Leaving the page stops the import. */
export function useImport(org: string) {
  const client = useQueryClient();
  const [progress, setProgress] = useState(IDLE);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async (file: File, { preview: isPreview = false } = {}) => {
    const { signal } = (abort.current = new AbortController());
    setProgress({ ...IDLE, state: 'running', expected: await countLines(file), isPreview, file });
    const advance = (changes: Partial<Progress>) => setProgress((before) => ({ ...before, ...changes }));
    try {
      const onOutcomes = (more: ImportOutcome[]) =>
        setProgress((before) => ({ ...before, outcomes: [...before.outcomes, ...more] }));
      const summary = await importUsers({ org, file, isPreview, signal, onOutcomes });
      advance({
        state: summary?.complete ? 'done' : 'interrupted',
        summary,
        error: summary?.error && new Error(summary.error.message),
      });
    } catch (error) {
      if (signal.aborted) return advance({ state: 'stopped' });
      // A lost connection throws the same error as a failed connection, but only a lost connection has outcomes.
      setProgress((before) => ({ ...before, error, state: before.outcomes.length > 0 ? 'interrupted' : 'rejected' }));
    } finally {
      if (!isPreview)
        for (const queryKey of [usersKey(org), membersKey(org), ['organization', org]])
          void client.invalidateQueries({ queryKey });
    }
  };
  return { progress, start, stop: () => abort.current?.abort(), reset: () => setProgress(IDLE) };
}
