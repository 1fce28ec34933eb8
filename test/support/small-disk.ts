import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BALLAST = 'ballast';
const CHUNK = Buffer.alloc(4 * 1024 * 1024);

export type SmallDisk = Awaited<ReturnType<typeof mountSmallDisk>>;

/**
 * Mounts a file system in memory.
 * @throws Error if mounting is not permitted. Mounting requires Linux and root, and CAP_SYS_ADMIN in a container
 */
export async function mountSmallDisk(megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (status !== 0) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`The test of a full disk needs root (and CAP_SYS_ADMIN in a container), since it mounts a tmpfs: ${stderr}`);
  }
  await chmod(folder, 0o755);
  const ballast = join(folder, BALLAST);
  return {
    folder,
    /** Writes a file that uses all free space. */
    fill: async (): Promise<void> => {
      const file = await open(ballast, 'w');
      try {
        for (;;) await file.appendFile(CHUNK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    /** Deletes the file that uses all free space. */
    free: () => rm(ballast, { force: true }),
    remove: async (): Promise<void> => {
      // A lazy unmount also succeeds while processes have open files.
      spawnSync('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
