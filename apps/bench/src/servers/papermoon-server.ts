import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchContext } from '../bench.ts'
import { BENCH_FOLDER, ROOT } from '../paths.ts'
import { type ChildServer, startChildServer } from './child-server.ts'

/**
 * Starts the real server on its embedded PostgreSQL with fsync, but without rate limits. If the run requests profiles,
 * the server writes a CPU profile at its end. `root` can be another checkout of this repository.
 */
export async function startPapermoon(context: BenchContext, dataDir: string, root = ROOT): Promise<ChildServer> {
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    DEMO: 'off',
    LOG_LEVEL: 'error',
  }
  const profiling = context.isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${join(BENCH_FOLDER, 'profile')}`] : []
  const args = [...readFlags(root), ...profiling, 'apps/api/src/server.ts']
  return await startChildServer(context, args, { env, cwd: root })
}

/** Reads the Node options that `npm start` gives the server. Old commits do not have the file with these options. */
function readFlags(root: string): readonly string[] {
  const path = join(root, 'apps/api/node-flags.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}
