import { join } from 'node:path'

/** Root of the repository. */
export const ROOT = join(import.meta.dirname, '../../..')
/** Cache of the benches between runs; not in the repository. */
export const BENCH_FOLDER = join(ROOT, '.bench')
