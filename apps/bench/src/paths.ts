import { join } from 'node:path'

/** Root of the repository. */
export const ROOT = join(import.meta.dirname, '../../..')
/** Folder that benches cache between runs. The repository does not contain it. */
export const BENCH_FOLDER = join(ROOT, '.bench')
